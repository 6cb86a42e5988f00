import type { VNode } from 'preact';
import { presentPauses } from '../../../control/webhooks/pause.ts';
import type { WebhookRow } from '../../../state/records.ts';
import { Badge } from '../../badge.tsx';
import { TableSection } from '../../data-table.tsx';
import { Button } from '../../forms.tsx';
import { Id } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { ActionForm } from '../action-form.tsx';
import { useRequest } from '../inspector-request.ts';
import { rowsOf } from '../rows.ts';

/** Where webhook events are sent to, each with what holds it back. */
export function Destinations(): VNode {
  const request = useRequest();
  const rows = rowsOf(request, request.world.tables.webhooks);
  return (
    <TableSection
      id="destinations"
      title="Destinations"
      rows={rows}
      columns={{
        Address: ({ id, url }) => (
          <a href={request.link(`/records/webhooks/${id}`)}>
            <Words text={url} />
          </a>
        ),
        Topics: ({ topics }) => <Words text={topics.join(', ')} />,
        '^State': (row) => <StateBadge row={row} />,
        Id: ({ id }) => <Id id={id} />,
      }}
      empty="There are none."
    >
      {rows.length > 0 && <Controls />}
    </TableSection>
  );
}

function StateBadge({ row: { id, enabled } }: { readonly row: WebhookRow }): VNode {
  const { control } = useRequest();
  const { all, destination_ids } = presentPauses(control);
  if (!enabled) return <Badge text="disabled" tone="none" />;
  const isHeld = all || destination_ids.includes(id);
  return <Badge text={isHeld ? 'held back' : 'enabled'} tone={isHeld ? 'warn' : 'ok'} />;
}

function Controls(): VNode {
  const request = useRequest();
  const { all, destination_ids } = presentPauses(request.control);
  return (
    <ActionForm layout="buttons">
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
