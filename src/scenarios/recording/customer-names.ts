import { exactJsonIn } from '../../text/json-in.ts';
import { replacingAll } from '../../text/replace-all.ts';
import type { LoggedCall } from './session.ts';

/** Operations with a customer's `name` in the request or the response. */
const OF_CUSTOMERS = new Set([
  'createCustomer',
  'updateCustomer',
  'getCustomer',
  'listCustomers',
  'listCustomerStats',
]);

interface CustomerFields {
  readonly name?: unknown;
  readonly customer_name?: unknown;
  readonly email?: unknown;
  readonly customer?: CustomerFields;
  readonly items?: readonly CustomerFields[];
}

/**
 * Replaces the names and e-mail addresses of a session's customers, wherever they stand in full, each time by the
 * same: `Customer 1`, `customer-1@example.com`.
 */
export function redactingCustomers(calls: readonly LoggedCall[]): (text: string) => string {
  const known = new Map<string, string>();
  let count = 0;
  for (const { operation = '', body, answer } of calls)
    for (const { name, email } of [body, answer].flatMap((text) => customersIn(text, operation))) {
      const isNew = [name, email].some((text) => text !== undefined && !known.has(text));
      if (isNew) count += 1;
      if (name !== undefined && !known.has(name)) known.set(name, `Customer ${count}`);
      if (email !== undefined && !known.has(email))
        known.set(email, `customer-${count}@example.com`);
    }
  return replacingAll(known);
}

/** Returns the name and e-mail address of each customer in a body, if present. */
function customersIn(text: string, operation: string) {
  const body = exactJsonIn(text) as CustomerFields | undefined;
  if (typeof body !== 'object' || body === null) return [];
  const items = Array.isArray(body.items) ? body.items : [];
  return [body, body.customer, ...items, ...items.map((item) => item?.customer)]
    .filter((each) => typeof each === 'object' && each !== null)
    .map((each) => {
      const isCustomer = OF_CUSTOMERS.has(operation) || each === body.customer;
      return {
        name: textOf(each.customer_name) ?? (isCustomer ? textOf(each.name) : undefined),
        email: textOf(each.email),
      };
    });
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
