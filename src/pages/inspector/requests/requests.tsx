import { fixtureFileOf, writeHar } from '../../../control/recording/write-exchanges.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { presentExchange } from '../../../http/log/present-exchange.ts';
import type { WebhookEventRow } from '../../../store/records.ts';
import type { Change } from '../../../store/row.ts';
import { key } from '../../../store/schema.ts';
import { runTimeSliced } from '../../../store/time-sliced.ts';
import { serialiseForReading } from '../../../text/exact-json.ts';
import { Status } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { customerNames } from '../customers/customers.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { RequestLink } from '../records/origin.tsx';

/** The latest requests, with their responses' status. */
export const showRequests = listPage<Exchange>({
  section: '/requests',
  label: 'Requests',
  present: presentExchange,
  everOf: ({ world }) => world.requests,
  rows: ({ control, world }) => control.requests.list(world).toReversed(),
  at: ({ at }) => at,
  fields: {
    method: ({ rawRequest }) => [rawRequest.method],
    path: ({ rawRequest }) => [rawRequest.path],
    status: ({ rawResponse }) => [String(rawResponse.status)],
    operation: ({ operation }) => (operation ? [operation.id] : []),
    customer: (exchange, request) => customersOf(request, exchange),
    topic: ({ changes }) =>
      changes
        .filter(({ table }) => table === 'webhook_events')
        .map(({ after }) => (after as WebhookEventRow | undefined)?.topic),
    assumption: assumptionsOf,
    fault: ({ rawResponse }) => [rawResponse.fault?.name],
    id: ({ requestId }) => [requestId],
    latency: ({ took }) => [took.toFixed(3)],
    query: ({ rawRequest }) => [rawRequest.search],
  },
  text: ({ rawRequest, requestBody, rawResponse }) => [
    `${rawRequest.search}\n${requestBody.toString('utf8')}\n${rawResponse.text}`,
  ],
  dayOf: ({ at }) => at,
  orders: {
    Status: ({ rawResponse }) => rawResponse.status,
    Latency: ({ took }) => took,
    Changes: (exchange) => changesOf(exchange).length,
  },
  chips: { Refused: 'status:4*', Failed: 'status:5*', Writes: '-method:get', Faults: 'fault:*' },
  columns: (request) => ({
    Request: (exchange) => <RequestLink exchange={exchange} />,
    Customer: (exchange) => <CustomerLink id={customerIdsOf(request, exchange)[0]} />,
    '^Status': ({ rawResponse }) => <Status status={rawResponse.status} />,
    '#Changes': (exchange) => changesOf(exchange).length || '',
    '#Latency': ({ took }) => `${took.toFixed(1)} ms`,
    Time: ({ at }) => <Time as="request" at={at} />,
  }),
  files: {
    fixture: { label: 'Save as fixture', write: writeFixtureFile },
    har: { label: 'Save as HAR', write: writeHarFile },
  },
  empty: 'No requests yet, or the request log is off.',
});

/** Returns the found requests as a fixture, with the clock moves and other actions between them. */
function writeFixtureFile(found: readonly Exchange[], { control, world }: InspectorRequest) {
  const ordinals = found.map(({ ordinal }) => ordinal);
  const range = { after: Math.min(...ordinals) - 1, until: Math.max(...ordinals) };
  const { exchanges } = control.requests.part(world, range);
  const wanted = new Set(found);
  const session = exchanges.filter((each) => wanted.has(each) || each.isMove);
  return { type: 'yaml', text: fixtureFileOf(world, session), file: 'session.yaml' } as const;
}

async function writeHarFile(found: readonly Exchange[], { control }: InspectorRequest) {
  const wish = { redactCustomers: false };
  const text = serialiseForReading(await runTimeSliced(writeHar(found, control.baseUrl, wish)));
  return { type: 'json', text, file: 'session.har' } as const;
}

/** Returns the rows that a request changed, without the counters of ids. */
function changesOf({ changes }: Exchange): readonly Change[] {
  return changes.filter(({ table }) => table !== 'ordinals');
}

export function assumptionsOf({ operation }: Exchange): readonly string[] {
  return operation?.assumptions ?? [];
}

const CUSTOMER_FIELD = /"customer_(?:external_)?id"\s*:\s*"([^"]*)"/g;

/** Returns the ids of the world's customers that a request mentions or changes. */
export function customerIdsOf({ world }: InspectorRequest, exchange: Exchange): readonly string[] {
  const { customers } = world.tables;
  return namedIn(exchange).flatMap((name) => {
    const found = customers.get(name) ?? customers.first('external', key(exchange.owner, name));
    return found ? [found.id] : [];
  });
}

function customersOf(
  { world }: InspectorRequest,
  exchange: Exchange,
): readonly (string | undefined)[] {
  return namedIn(exchange).flatMap((id) => [id, ...customerNames(world.tables.customers.get(id))]);
}

function namedIn({ path, requestBody, changes }: Exchange): readonly string[] {
  const inBody = [...requestBody.toString('utf8').matchAll(CUSTOMER_FIELD)].map(([, id]) => id);
  const changed = changes.map(customerOf);
  return [...new Set([path['customerId'], ...inBody, ...changed])].filter((id) => id !== undefined);
}

function customerOf({ table, id, before, after }: Change): string | undefined {
  if (table === 'customers') return id;
  const row = (after ?? before) as { readonly customer_id?: string } | undefined;
  return row?.customer_id;
}
