import { keyOf } from '../../store/worlds.ts';
import type { PageAnswer } from '../answer.tsx';
import { WaysOn } from '../parts.tsx';
import { isIn } from './find/records.ts';
import { InspectorPage } from './frame.tsx';
import { type InspectorRequest, linkTo, useRequest } from './inspector-request.ts';

/** The 404 page of the inspector. It keeps the navigation and says where else the record can be. */
export function recordNotFound(
  request: InspectorRequest,
  id = request.parameters['id'] ?? '',
): PageAnswer {
  const page = (
    <InspectorPage request={request} title="Not found">
      {id === '' ? (
        <p>The inspector has no page at this address.</p>
      ) : (
        <>
          <p>
            <code>{id.slice(0, MAX_TEXT)}</code> is not in the world{' '}
            <strong>{request.world.sandbox}</strong>. A reset may have removed it, or it is in
            another world.
          </p>
          <Elsewhere id={id} />
        </>
      )}
    </InspectorPage>
  );
  return { status: 404, page };
}

const MAX_TEXT = 300;

const MAX_WORLDS = 200;

/** Links to other worlds that have a record, and to a search for what happened to it. */
function Elsewhere({ id }: { readonly id: string }) {
  const { control, world, link } = useRequest();
  const elsewhere = [...control.worlds.values()]
    .slice(0, MAX_WORLDS)
    .filter((each) => each !== world && isIn(each, id))
    .map(keyOf)
    .map((key) => [`The world ${key}`, linkTo('find', { key, id })] as const);
  const requests = link('requests', { q: `"${id.replaceAll('"', '')}"` });
  return (
    <WaysOn ways={{ ...Object.fromEntries(elsewhere), 'Search the requests for it': requests }} />
  );
}
