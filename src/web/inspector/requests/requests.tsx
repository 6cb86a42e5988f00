import type { Exchange } from '../../../http/log/exchange.ts';
import { presentExchangeSummary } from '../../../http/log/present-exchange.ts';
import type { WebhookEventRow } from '../../../state/records.ts';
import type { Change } from '../../../state/table.ts';
import type { PageAnswer } from '../../answer.ts';
import { Words } from '../../sections.tsx';
import { customerNames } from '../customers/customers.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { WorldTime } from '../parts.tsx';
import type { Subject } from '../search.ts';

const FIELDS = [
  'method',
  'path',
  'status',
  'operation',
  'customer',
  'topic',
  'assumption',
  'fault',
  'id',
];

/** What was asked of the world lately, and how it was answered. */
export function showRequests(request: InspectorRequest): PageAnswer {
  const rows = request.control.requests.list(request.world).toReversed();
  return {
    page: (
      <InspectorPage request={request} section="/requests">
        <Listing
          request={request}
          path="/requests"
          label="Requests"
          rows={rows}
          fields={FIELDS}
          subjectOf={(exchange) => subjectOf(request, exchange)}
          headings={['When', 'Request', '#Status', 'Operation', '#Changes', '#Assumptions']}
          cells={(exchange) => cellsOf(request, exchange)}
          empty="Nothing was asked, or the log keeps no requests."
        />
      </InspectorPage>
    ),
  };
}

function cellsOf(request: InspectorRequest, exchange: Exchange) {
  const { ordinal, at, method, path, query, status, operation } = presentExchangeSummary(exchange);
  const address = `${path}${query === undefined ? '' : `?${query}`}`;
  return [
    <WorldTime key="at" at={at} />,
    <a key="request" href={request.link(`/requests/${ordinal}`)}>
      <Words text={`${method} ${address}`} />
    </a>,
    <span key="status" class={status >= 400 ? 'refused' : undefined}>
      {status}
    </span>,
    operation,
    changesOf(exchange).length,
    assumptionsOf(exchange).length,
  ];
}

/** The rows that a request changed, without how far identifiers are counted. */
export function changesOf({ rawResponse }: Exchange): readonly Change[] {
  return (rawResponse.changes ?? []).filter(({ table }) => table !== 'ordinals');
}

/** The decisions that an answer relies on. */
export function assumptionsOf({ operation }: Exchange): readonly string[] {
  return operation?.assumptions ?? [];
}

function subjectOf(request: InspectorRequest, exchange: Exchange): Subject {
  const { rawRequest, rawResponse, operation, requestId } = exchange;
  return {
    at: exchange.at,
    fields: {
      method: [rawRequest.method],
      path: [rawRequest.path],
      status: [String(rawResponse.status)],
      operation: operation ? [operation.id] : [],
      customer: customersOf(request, exchange),
      topic: (rawResponse.changes ?? [])
        .filter(({ table }) => table === 'webhook_events')
        .map(({ after }) => (after as WebhookEventRow | undefined)?.topic),
      assumption: assumptionsOf(exchange),
      fault: [rawResponse.fault?.name],
      id: [requestId],
    },
    text: () =>
      `${rawRequest.search}\n${exchange.requestBody.toString('utf8')}\n${rawResponse.text}`,
  };
}

const CUSTOMER_FIELD = /"customer_(?:external_)?id"\s*:\s*"([^"]*)"/g;

/** The customers that a request names or changes something of, with everything they are called. */
function customersOf(
  { world }: InspectorRequest,
  exchange: Exchange,
): readonly (string | undefined)[] {
  const { path, requestBody, rawResponse } = exchange;
  const inBody = [...requestBody.toString('utf8').matchAll(CUSTOMER_FIELD)].map(([, id]) => id);
  const changed = (rawResponse.changes ?? []).map(customerOf);
  const ids = [...new Set([path['customerId'], ...inBody, ...changed])].filter(
    (id) => id !== undefined,
  );
  return ids.flatMap((id) => [id, ...customerNames(world.tables.customers.get(id))]);
}

function customerOf({ table, id, before, after }: Change): string | undefined {
  if (table === 'customers') return id;
  const row = (after ?? before) as { readonly customer_id?: string } | undefined;
  return row?.customer_id;
}
