import { type Body, call, expect } from '../../kit/index.ts';
import type { Caller } from './one-of-each.ts';

type CustomerSummary = Body<'listCustomers', 200>['items'][number];

/** The customers that a query finds, all on one page. */
export async function listedCustomers(query: object): Promise<CustomerSummary[]> {
  const whole = { limit: 1000, ...query };
  const { body } = await call('listCustomers', { query: whole }, [200]);
  return (body as Body<'listCustomers', 200>).items;
}

/** The id of the customer that an external_id redirects to. */
export async function redirected(
  query: Readonly<Record<string, unknown>>,
  caller: Caller = {},
): Promise<string | undefined> {
  const { headers, text } = await call('listCustomers', { query, ...caller }, [303]);
  expect(text, 'body of the redirect').toBe('');
  return String(headers['location']).split('/').at(-1);
}
