import type { Exchange } from './exchange.ts';
import { compilePath } from './path-pattern.ts';

/** Selects requests. An absent criterion matches any. */
export interface RequestMatch {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly customer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of a request that a match can test. */
export interface RequestSubject
  extends Pick<Exchange, 'world' | 'rawRequest' | 'operation' | 'path'> {
  /** Returns the parsed body. It is only parsed on use. */
  body(): unknown;
}

type Judge = (subject: RequestSubject) => boolean;

/** The tests of a match, by the name of the criterion. */
export function validatesOf(match: RequestMatch): ReadonlyMap<string, Judge> {
  const { operation, method, path, customer, headers } = match;
  const judges = new Map<string, Judge>();
  if (operation !== undefined) judges.set('operation', (each) => each.operation?.id === operation);
  if (method !== undefined)
    judges.set('method', (each) => each.rawRequest.method === method.toUpperCase());
  if (path !== undefined) {
    const fits = compilePath(path);
    judges.set('path', (each) => fits(each.rawRequest.path));
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    const header = name.toLowerCase();
    judges.set(`headers.${name}`, (each) => each.rawRequest.headers[header] === value);
  }
  if (customer !== undefined) judges.set('customer', (each) => concerns(each, customer));
  return judges;
}

/** Whether a request names a customer in its path, query or body, by its id or external id. */
function concerns(subject: RequestSubject, wanted: string): boolean {
  return namesOf(subject).some((name) => {
    if (name === wanted) return true;
    const row = subject.world.tables.customers.get(name);
    if (row) return row.external_id === wanted;
    return subject.world.tables.customers.get(wanted)?.external_id === name;
  });
}

/** The names by request, as each wait reads them again. */
const knownNames = new WeakMap<RequestSubject['rawRequest'], readonly string[]>();

function namesOf(subject: RequestSubject): readonly string[] {
  const names = knownNames.get(subject.rawRequest) ?? readNames(subject);
  knownNames.set(subject.rawRequest, names);
  return names;
}

function readNames({ path, rawRequest, operation, body }: RequestSubject): readonly string[] {
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
