import type { Exchange } from '../../../http/log/exchange.ts';
import { presentExchangeSummary } from '../../../http/log/present-exchange.ts';
import type { WebhookEventRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import type { Change } from '../../../state/table.ts';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { customerNames } from '../customers/customers.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { listPage } from '../listing.tsx';

/** What was asked of the world lately, and how it was answered. */
export const showRequests = listPage<Exchange>({
  section: '/requests',
  label: 'Requests',
  rows: ({ control, world }) => control.requests.list(world).toReversed(),
  at: ({ at }) => at,
  fields: {
    method: ({ rawRequest }) => [rawRequest.method],
    path: ({ rawRequest }) => [rawRequest.path],
    status: ({ rawResponse }) => [String(rawResponse.status)],
    operation: ({ operation }) => (operation ? [operation.id] : []),
    customer: (exchange, request) => customersOf(request, exchange),
    topic: ({ rawResponse }) =>
      (rawResponse.changes ?? [])
        .filter(({ table }) => table === 'webhook_events')
        .map(({ after }) => (after as WebhookEventRow | undefined)?.topic),
    assumption: assumptionsOf,
    fault: ({ rawResponse }) => [rawResponse.fault?.name],
    id: ({ requestId }) => [requestId],
  },
  text: ({ rawRequest, requestBody, rawResponse }) =>
    `${rawRequest.search}\n${requestBody.toString('utf8')}\n${rawResponse.text}`,
  columns: (request) => ({
    When: ({ at }) => <Time as="exact" at={at} />,
    Request: (exchange) => (
      <a href={request.link(`/requests/${exchange.ordinal}`)}>
        <Words text={addressOf(exchange)} />
      </a>
    ),
    '#Status': ({ rawResponse: { status } }) => (
      <span class={status >= 400 ? 'refused' : undefined}>{status}</span>
    ),
    Operation: ({ operation }) => operation?.id,
    '#Changes': (exchange) => changesOf(exchange).length,
    '#Assumptions': (exchange) => assumptionsOf(exchange).length,
  }),
  empty: 'Nothing was asked, or the log keeps no requests.',
});

function addressOf(exchange: Exchange): string {
  const { method, path, query } = presentExchangeSummary(exchange);
  return `${method} ${path}${query === undefined ? '' : `?${query}`}`;
}

/** The rows that a request changed, without how far identifiers are counted. */
export function changesOf({ rawResponse }: Exchange): readonly Change[] {
  return (rawResponse.changes ?? []).filter(({ table }) => table !== 'ordinals');
}

/** The decisions that an answer relies on. */
export function assumptionsOf({ operation }: Exchange): readonly string[] {
  return operation?.assumptions ?? [];
}

const CUSTOMER_FIELD = /"customer_(?:external_)?id"\s*:\s*"([^"]*)"/g;

/** The customers of this world that a request names or changes something of, by their ids. */
export function customerIdsOf({ world }: InspectorRequest, exchange: Exchange): readonly string[] {
  const { customers } = world.tables;
  return namedIn(exchange).flatMap((name) => {
    const found = customers.get(name) ?? customers.first('external', key(exchange.owner, name));
    return found ? [found.id] : [];
  });
}

/** Everything that the customers of a request are called. */
function customersOf(
  { world }: InspectorRequest,
  exchange: Exchange,
): readonly (string | undefined)[] {
  return namedIn(exchange).flatMap((id) => [id, ...customerNames(world.tables.customers.get(id))]);
}

function namedIn({ path, requestBody, rawResponse }: Exchange): readonly string[] {
  const inBody = [...requestBody.toString('utf8').matchAll(CUSTOMER_FIELD)].map(([, id]) => id);
  const changed = (rawResponse.changes ?? []).map(customerOf);
  return [...new Set([path['customerId'], ...inBody, ...changed])].filter((id) => id !== undefined);
}

function customerOf({ table, id, before, after }: Change): string | undefined {
  if (table === 'customers') return id;
  const row = (after ?? before) as { readonly customer_id?: string } | undefined;
  return row?.customer_id;
}
