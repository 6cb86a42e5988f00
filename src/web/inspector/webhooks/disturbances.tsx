import type { VNode } from 'preact';
import type { DisturbanceKind, DisturbanceRow } from '../../../state/records.ts';
import { DataTable } from '../../data-table.tsx';
import { Section, Words } from '../../parts.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { rowsOf } from '../rows.ts';

/** What happens to a delivery, as the form words it. */
const KINDS: Readonly<Record<DisturbanceKind, string>> = {
  duplicate: 'sent twice',
  swap: 'sent after the one that follows',
  delay: 'delayed',
  drop: 'dropped',
  bad_signature: 'signed with a wrong secret',
  stale_timestamp: 'signed with an old time',
  reserialised_body: 'written anew behind its signature',
  old_secret_only: 'signed with the former secret alone',
};

/** What goes wrong with the next deliveries on purpose. */
export function Disturbances({ request }: { readonly request: InspectorRequest }): VNode {
  const rows = rowsOf(request, request.world.tables.disturbances);
  return (
    <Section id="disturbances" title="Disturbances">
      {rows.length === 0 ? <p>Deliveries are not disturbed.</p> : <Rules rows={rows} />}
      {!request.isReadOnly && (
        <>
          <DisturbForm request={request} />
          {rows.length > 0 && (
            <form method="post" action={request.link('/webhooks/disturbances/clear')}>
              <button type="submit" class="secondary">
                Disturb no more
              </button>
            </form>
          )}
        </>
      )}
    </Section>
  );
}

function Rules({ rows }: { readonly rows: readonly DisturbanceRow[] }): VNode {
  return (
    <DataTable
      label="Disturbances"
      rows={rows}
      columns={{
        'Deliveries are': ({ kind }) => KINDS[kind],
        '#Of': ({ count }) => count,
        '#Left': ({ remaining }) => remaining,
        Topic: ({ topic }) => <Words text={topic ?? 'any'} />,
        To: ({ destination_id }) =>
          destination_id === undefined ? 'any' : <code>{destination_id}</code>,
      }}
    />
  );
}

function DisturbForm({ request }: { readonly request: InspectorRequest }): VNode {
  return (
    <form method="post" action={request.link('/webhooks/disturbances')} class="line">
      <label>
        Next deliveries
        <input name="count" value="1" inputmode="numeric" pattern="[0-9]+" size={4} required />
      </label>
      <label>
        are
        <select name="kind">
          {Object.entries(KINDS).map(([kind, text]) => (
            <option key={kind} value={kind}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Disturb</button>
    </form>
  );
}
