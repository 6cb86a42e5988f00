import { keyOf } from '../../../store/worlds.ts';
import type { PageAnswer } from '../../answer.tsx';
import { WaysOn } from '../../parts.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, linkTo, useRequest } from '../inspector-request.ts';
import { isIn } from './records.ts';

/** The 404 page of the inspector. It keeps the navigation and suggests where the record can be. */
export function recordNotFound(request: InspectorRequest): PageAnswer {
  const page = (
    <InspectorPage request={request} title="Page not found">
      <p>
        There is nothing at this address in the world <strong>{request.world.sandbox}</strong>. A
        reset may have removed the record, or it is in another world.
      </p>
      <Elsewhere id={request.parameters['id'] ?? ''} />
    </InspectorPage>
  );
  return { status: 404, page };
}

const MAX_WORLDS = 200;

interface ElsewhereProps {
  /** What was not found; empty if it was no record. */
  readonly id: string;
}

/** Links to other worlds that have the record, and to lists to search. */
export function Elsewhere({ id }: ElsewhereProps) {
  const { link, control, world } = useRequest();
  const elsewhere = [...control.worlds.values()]
    .slice(0, MAX_WORLDS)
    .filter((each) => each !== world && isIn(each, id))
    .map(keyOf)
    .map((key) => [`The world ${key}`, linkTo('find', { key, id })] as const);
  const search = id === '' ? undefined : { q: `"${id.replaceAll('"', '')}"` };
  const nameOf = (section: string) => (search ? `Search for it in ${section}` : section);
  return (
    <WaysOn
      ways={{
        ...Object.fromEntries(elsewhere),
        [nameOf('Requests')]: link('requests', search),
        [nameOf('Usage')]: link('usage', search),
        [nameOf('Ledger')]: link('ledger', search),
        [nameOf('Customers')]: link('customers', search),
      }}
    />
  );
}
