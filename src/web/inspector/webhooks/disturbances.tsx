import type { VNode } from 'preact';
import type { DisturbanceKind, DisturbanceRow } from '../../../state/records.ts';
import { DataTable, Words } from '../../sections.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Part } from '../parts.tsx';
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
    <Part id="disturbances" title="Disturbances">
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
    </Part>
  );
}

function Rules({ rows }: { readonly rows: readonly DisturbanceRow[] }): VNode {
  return (
    <DataTable label="Disturbances" headings={['Deliveries are', '#Of', '#Left', 'Topic', 'To']}>
      {rows.map(({ id, kind, count, remaining, topic, destination_id }) => (
        <tr key={id}>
          <td>{KINDS[kind]}</td>
          <td class="number">{count}</td>
          <td class="number">{remaining}</td>
          <td>
            <Words text={topic ?? 'any'} />
          </td>
          <td>{destination_id === undefined ? 'any' : <code>{destination_id}</code>}</td>
        </tr>
      ))}
    </DataTable>
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
