import { keyOf } from '../../../store/worlds.ts';
import type { PageAnswer } from '../../answer.tsx';
import { WaysOn } from '../../parts.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, linkTo, useRequest } from '../inspector-request.ts';
import { isIn } from './records.ts';

/** The 404 page of the inspector. It keeps the navigation and says which other world has the record. */
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

/** Links to other worlds that have the record. */
export function Elsewhere({ id }: ElsewhereProps) {
  const { control, world } = useRequest();
  const elsewhere = [...control.worlds.values()]
    .slice(0, MAX_WORLDS)
    .filter((each) => each !== world && isIn(each, id))
    .map(keyOf)
    .map((key) => [`The world ${key}`, linkTo('find', { key, id })] as const);
  if (elsewhere.length === 0) return null;
  return <WaysOn ways={Object.fromEntries(elsewhere)} />;
}
