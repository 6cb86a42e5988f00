import type { PageAnswer } from '../../answer.ts';
import { Words } from '../../sections.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { WorldTime } from '../parts.tsx';
import { rowsOf } from '../rows.ts';

/** What was accepted and yet deserves a look. @assumes A-1402 */
export function showWarnings(request: InspectorRequest): PageAnswer {
  const rows = rowsOf(request, request.world.tables.warnings);
  return {
    page: (
      <InspectorPage request={request} section="/warnings">
        <Listing
          request={request}
          path="/warnings"
          label="Warnings"
          rows={rows}
          fields={['kind', 'event', 'field']}
          subjectOf={(row) => ({
            at: row.at,
            fields: { kind: [row.kind], event: [row.event_id], field: [row.field] },
            text: () => row.message,
          })}
          headings={['When', 'Kind', 'Warning', 'Event']}
          cells={(row) => [
            <WorldTime key="at" at={row.at} />,
            row.kind.replaceAll('_', ' '),
            <Words key="text" text={row.message} />,
            row.event_id !== undefined && (
              <a
                href={request.link(`/events/${encodeURIComponent(row.event_id)}`, {
                  owner: row.owner,
                })}
              >
                <Words text={row.event_id} />
              </a>
            ),
          ]}
          empty="There is nothing to warn of."
        />
        {!request.isReadOnly && rows.length > 0 && (
          <form method="post" action={request.link('/warnings/clear')}>
            <button type="submit" class="secondary">
              Clear the warnings
            </button>
          </form>
        )}
      </InspectorPage>
    ),
  };
}
