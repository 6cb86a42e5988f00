import { inSlices } from '../../../state/resumable.ts';
import type { PageAnswer } from '../../answer.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { WaysOn } from '../not-here.tsx';
import { findRecord } from './find-record.ts';

/** Goes to whatever an identifier or a name stands for, or says where it may be instead. */
export async function goToRecord(request: InspectorRequest): Promise<PageAnswer> {
  const id = request.query('id').trim();
  const place = id === '' ? undefined : await inSlices(findRecord(request, id));
  if (place) return { location: request.link(place.path, place.parameters) };
  const page = (
    <InspectorPage request={request} title="Not found">
      {id === '' ? (
        <p>Nothing was asked for. Type an id, an external id or a name.</p>
      ) : (
        <p>
          <code>{id.slice(0, MOST_ID)}</code> is not in this world.
        </p>
      )}
      <WaysOn id={id} />
    </InspectorPage>
  );
  return { status: 404, page };
}

const MOST_ID = 300;
