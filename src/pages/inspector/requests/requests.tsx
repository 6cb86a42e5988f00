import { DEFAULT_KEY } from '../../../config/access.ts';
import { refusedRequests } from '../../../http/hints.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { presentExchange } from '../../../http/log/present-exchange.ts';
import { rowsOf } from '../../../store/query.ts';
import { customerOf } from '../../../store/record-changes.ts';
import { keyOf } from '../../../store/worlds.ts';
import { plural } from '../../../text/wording.ts';
import { Method, Status, Words } from '../../parts.tsx';
import { customerNames } from '../customers/customers.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, SendLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import type { List } from '../search/list.ts';
import { isListed, RequestEffect } from './effect.tsx';
import { FaultRuleList, MakeItFail } from './make-it-fail.tsx';
import { RequestLink } from './request-link.tsx';

/** The latest requests, with what each did. */
export const REQUESTS: List<Exchange> = {
  section: 'requests',
  label: 'Requests',
  rows: ({ control, world }) => control.requests.list(world).toReversed(),
  present: presentExchange,
  everOf: ({ control, world }) =>
    control.requests.part(world, {}).lost === undefined ? undefined : world.requests,
  actions: () => (
    <>
      <SendLink>Send a request</SendLink>
      <MakeItFail />
    </>
  ),
  before: () => (
    <>
      <FaultRuleList />
      <RefusedRequests />
    </>
  ),
  fields: {
    method: ({ rawRequest }) => [rawRequest.method],
    path: ({ rawRequest }) => [rawRequest.path],
    status: ({ rawResponse }) => [String(rawResponse.status)],
    operation: ({ operation }) => (operation ? [operation.id] : []),
    customer: (exchange, { world }) =>
      namedIn(exchange).flatMap((id) => [id, ...customerNames(world, id)]),
    changed: ({ changes }) => (changes.some(isListed) ? ['yes'] : ['no']),
    fault: ({ rawResponse }) => [rawResponse.fault?.name],
    id: ({ requestId }) => [requestId],
    latency: ({ took }) => [took.toFixed(3)],
  },
  text: ({ rawRequest, requestBody, rawResponse }) => [
    `${rawRequest.search}\n${requestBody.toString('utf8')}\n${rawResponse.text}`,
  ],
  time: { of: ({ at }) => at, as: 'request' },
  orders: {
    Status: ({ rawResponse }) => rawResponse.status,
    Latency: ({ took }) => took,
  },
  chips: [
    { '2xx': 'status:2*', '4xx': 'status:4*', '5xx': 'status:5*' },
    {
      GET: 'method:get',
      POST: 'method:post',
      PATCH: 'method:patch',
      PUT: 'method:put',
      DELETE: 'method:delete',
    },
    { 'Changed something': 'changed:yes', 'With a fault': 'fault:*' },
  ],
  columns: (request) => ({
    Request: (exchange) => <RequestLink exchange={exchange} />,
    '^Status': ({ rawResponse }) => <Status status={rawResponse.status} />,
    '~Customer': (exchange) => <CustomerLink id={customerIdsOf(request, exchange)[0]} />,
    '~What it did': (exchange) => <RequestEffect exchange={exchange} />,
    '~#Latency': ({ took }) => <Latency took={took} />,
  }),
  empty: 'No requests yet. Send one, or point your program at this world.',
};

export const showRequests = listPage(REQUESTS);

/** A latency this long fills its bar. @units milliseconds */
const LONG = 50;

const Latency = ({ took }: { readonly took: number }) => (
  <>
    {took.toFixed(1)} ms
    <progress aria-hidden="true" value={took} max={LONG} />
  </>
);

/**
 * The latest requests to no path, with what is wrong with each. Those without a valid key have no world: they are shown
 * in the world of the default key, and where no request has arrived, as they may be meant for it.
 */
function RefusedRequests() {
  const { control, world, key } = useRequest();
  const showsUnknown = key === DEFAULT_KEY || world.requests === 0;
  const refused = refusedRequests(control.log).filter(({ worldKey }) =>
    worldKey === undefined ? showsUnknown : worldKey === keyOf(world),
  );
  if (refused.length === 0) return null;
  const isUnknown = refused.some(({ worldKey }) => worldKey === undefined);
  return (
    <details id="refused" data-testid="refused">
      <summary>
        {plural(refused.length, 'request')} to an unknown path
        {isUnknown && ' or with an unknown key'}
      </summary>
      <ol class="rows">
        {refused.map(({ method, path, hint }, place) => (
          <li key={place}>
            <Method method={method} /> <Words text={path} /> <Words text={hint} />
          </li>
        ))}
      </ol>
    </details>
  );
}

const CUSTOMER_FIELD = /"customer_(?:external_)?id"\s*:\s*"([^"]*)"/g;

/** Returns the ids of the world's customers that a request mentions or changes. */
export function customerIdsOf({ world }: InspectorRequest, exchange: Exchange): readonly string[] {
  const { customers } = world.tables;
  return namedIn(exchange).flatMap((name) => {
    const found =
      customers.get(name) ?? rowsOf(customers, { owner: exchange.owner, external_id: name })[0];
    return found ? [found.id] : [];
  });
}

function namedIn({ path, requestBody, changes }: Exchange): readonly string[] {
  const inBody = [...requestBody.toString('utf8').matchAll(CUSTOMER_FIELD)].map(([, id]) => id);
  const changed = changes.map(customerOf);
  return [...new Set([path['customerId'], ...inBody, ...changed])].filter((id) => id !== undefined);
}
