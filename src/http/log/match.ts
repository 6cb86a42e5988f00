import { changedValues } from '../../text/changed-values.ts';
import { jsonIn } from '../../text/exact-json.ts';
import type { Exchange } from './exchange.ts';

/** Selects requests. An absent criterion matches any. */
interface RequestMatch {
  readonly operation?: string | undefined;
  readonly customer?: string | undefined;
}

/** Selects exchanges by request and response. */
export interface ExchangeMatch extends RequestMatch {
  /** The account that the request acts for. */
  readonly owner?: string;
  readonly status?: number;
  readonly request_id?: string;
  /** A value that the request's body must contain, at any depth. Other fields are allowed. */
  readonly body?: unknown;
  /** A value that the response's body must contain. */
  readonly response?: unknown;
}

type Criteria = Required<ExchangeMatch>;

const CRITERIA: {
  readonly [Name in keyof Criteria]: (exchange: Exchange, wanted: Criteria[Name]) => boolean;
} = {
  operation: (exchange, operation) => matchesRequest({ operation }, subjectOf(exchange)),
  customer: (exchange, customer) => matchesRequest({ customer }, subjectOf(exchange)),
  owner: ({ owner }, wanted) => owner === wanted,
  status: ({ rawResponse }, wanted) => rawResponse.status === wanted,
  request_id: ({ requestId }, wanted) => requestId === wanted,
  body: (exchange, wanted) => holds(subjectOf(exchange).body(), wanted),
  response: ({ rawResponse }, wanted) => holds(jsonIn(rawResponse.text), wanted),
};

/** The names of the criteria that an exchange does not meet; none if it matches. */
export const differencesFrom = (match: ExchangeMatch, exchange: Exchange): string[] =>
  Object.entries(match)
    .filter(([, wanted]) => wanted !== undefined)
    .filter(([name, wanted]) => !CRITERIA[name as keyof Criteria](exchange, wanted as never))
    .map(([name]) => name);

const subjectOf = (exchange: Exchange): RequestSubject => ({
  ...exchange,
  body: () => jsonIn(exchange.requestBody.toString('utf8')),
});

/** Whether a value contains another. Objects can have more fields; lists must have the same entries in order. */
const holds = (value: unknown, wanted: unknown): boolean =>
  changedValues(wanted, value, { isPartial: true, wholeLists: true }).next().done === true;

/** The parts of a request that a match can test. */
interface RequestSubject extends Pick<Exchange, 'world' | 'rawRequest' | 'operation' | 'path'> {
  /** Returns the parsed body. It is only parsed on use. */
  body(): unknown;
}

export const matchesRequest = (
  { operation, customer }: RequestMatch,
  subject: RequestSubject,
): boolean =>
  (operation === undefined || subject.operation?.id === operation) &&
  (customer === undefined || concerns(subject, customer));

/** Whether a request names a customer in its path, query or body, by its id or external id. */
function concerns(subject: RequestSubject, wanted: string): boolean {
  return namesOf(subject).some((name) => {
    if (name === wanted) return true;
    const row = subject.world.tables.customers.get(name);
    if (row) return row.external_id === wanted;
    return subject.world.tables.customers.get(wanted)?.external_id === name;
  });
}

function namesOf({ path, rawRequest, operation, body }: RequestSubject): readonly string[] {
  const query = new URLSearchParams(rawRequest.search);
  const sent = body() as Readonly<Record<string, unknown>> | undefined;
  const creates = operation?.id === 'createCustomer';
  const named = [
    path['customerId'],
    query.get('customer_id'),
    query.get('customer_external_id'),
    sent?.['customer_id'],
    sent?.['customer_external_id'],
    creates ? sent?.['external_id'] : undefined,
  ];
  return named.filter((name) => typeof name === 'string');
}
