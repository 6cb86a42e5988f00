import { inSlices } from '../../../state/resumable.ts';
import { keyOf } from '../../../state/worlds.ts';
import type { PageAnswer } from '../../answer.ts';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, linkTo } from '../inspector-request.ts';
import { findRecord, isIn } from './find-record.ts';

/** Goes to whatever an identifier or a name stands for, or says where it is instead. */
export async function goToRecord(request: InspectorRequest): Promise<PageAnswer> {
  const id = request.query('id').trim();
  const place = id === '' ? undefined : await inSlices(findRecord(request, id));
  if (place) return { location: request.link(place.path, place.parameters) };
  return { status: 404, page: <NotFound request={request} id={id} /> };
}

/** So many other worlds are asked at most. */
const MOST_WORLDS = 200;

function NotFound({ request, id }: { readonly request: InspectorRequest; readonly id: string }) {
  const elsewhere = [...request.options.worlds.values()]
    .slice(0, MOST_WORLDS)
    .filter((world) => world !== request.world && isIn(world, id));
  const search = { q: `"${id.replaceAll('"', '')}"` };
  return (
    <InspectorPage request={request} section="" title="Not found">
      {id === '' ? (
        <p>Nothing was asked for. Type an id, an external id or a name.</p>
      ) : (
        <p>
          <code>{id.slice(0, 300)}</code> is not in this world.
        </p>
      )}
      {elsewhere.map((world) => (
        <p key={keyOf(world)}>
          It is in <a href={linkTo('/go', { key: keyOf(world), id })}>{keyOf(world)}</a>.
        </p>
      ))}
      {id !== '' && (
        <p>
          Look for it in <a href={request.link('/requests', search)}>requests</a>,{' '}
          <a href={request.link('/events', search)}>usage</a> or{' '}
          <a href={request.link('/ledger', search)}>the ledger</a>.
        </p>
      )}
    </InspectorPage>
  );
}
