import type { VNode } from 'preact';
import { presentPauses } from '../../../control/webhooks/pause.ts';
import type { WebhookRow } from '../../../state/records.ts';
import { DataTable, Words } from '../../sections.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Part } from '../parts.tsx';
import { rowsOf } from '../rows.ts';

/** Where webhook events are sent to, each with what holds it back. */
export function Destinations({ request }: { readonly request: InspectorRequest }): VNode {
  const rows = rowsOf(request, request.world.tables.webhooks);
  return (
    <Part id="destinations" title="Destinations">
      {rows.length === 0 ? (
        <p>There are none.</p>
      ) : (
        <DataTable label="Destinations" headings={['Address', 'Topics', 'State', 'Id']}>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Words text={row.url} />
              </td>
              <td>
                <Words text={row.topics.join(', ')} />
              </td>
              <td>{stateOf(request, row)}</td>
              <td>
                <code>{row.id}</code>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {!request.isReadOnly && rows.length > 0 && <Controls request={request} />}
    </Part>
  );
}

function stateOf({ control }: InspectorRequest, { id, enabled }: WebhookRow): string {
  if (!enabled) return 'disabled';
  const { all, destination_ids } = presentPauses(control);
  return all || destination_ids.includes(id) ? 'held back' : 'enabled';
}

function Controls({ request }: { readonly request: InspectorRequest }): VNode {
  const { all, destination_ids } = presentPauses(request.control);
  return (
    <form method="post" class="buttons">
      {!all && (
        <button type="submit" class="secondary" formAction={request.link('/webhooks/pause')}>
          Hold deliveries back
        </button>
      )}
      {(all || destination_ids.length > 0) && (
        <button type="submit" formAction={request.link('/webhooks/resume')}>
          Let deliveries go on
        </button>
      )}
      <button type="submit" class="secondary" formAction={request.link('/webhooks/flush')}>
        Try what waits now
      </button>
    </form>
  );
}
