import type { VNode } from 'preact';
import { presentPauses } from '../../../control/webhooks/pause.ts';
import type { WebhookRow } from '../../../state/records.ts';
import { TableSection } from '../../data-table.tsx';
import { Button } from '../../forms.tsx';
import { Id } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { ActionForm } from '../action-form.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { rowsOf } from '../rows.ts';

/** Where webhook events are sent to, each with what holds it back. */
export function Destinations({ request }: { readonly request: InspectorRequest }): VNode {
  const rows = rowsOf(request, request.world.tables.webhooks);
  return (
    <TableSection
      id="destinations"
      title="Destinations"
      rows={rows}
      columns={{
        Address: ({ url }) => <Words text={url} />,
        Topics: ({ topics }) => <Words text={topics.join(', ')} />,
        State: (row) => stateOf(request, row),
        Id: ({ id }) => <Id id={id} />,
      }}
      empty="There are none."
    >
      {rows.length > 0 && <Controls request={request} />}
    </TableSection>
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
    <ActionForm request={request} layout="buttons">
      {!all && (
        <Button isSecondary formAction={request.link('/webhooks/pause')}>
          Hold deliveries back
        </Button>
      )}
      {(all || destination_ids.length > 0) && (
        <Button formAction={request.link('/webhooks/resume')}>Let deliveries go on</Button>
      )}
      <Button isSecondary formAction={request.link('/webhooks/flush')}>
        Try what waits now
      </Button>
    </ActionForm>
  );
}
