import {
  ADDRESSES,
  aFreshCustomer,
  api,
  aUsageEvent,
  type Body,
  call,
  eventually,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
} from '../../kit/index.ts';
import { stored } from './events.ts';
import type { Caller } from './one-of-each.ts';
import { shown, subscribe, to, update } from './subscriptions.ts';

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

/** The stats of a customer. */
export const statsOf = ({ id }: Pick<OwnObject, 'id'>) =>
  api('getCustomerStats', { path: { customerId: id } }, 200);

/** The entry of a customer in the stats list. */
export async function statsEntryOf(customer: OwnObject, query: object) {
  const { items } = await api('listCustomerStats', { query: { limit: 1000, ...query } }, 200);
  return items.find(({ id }) => id === customer.id);
}

/** Returns the current instant once it is in the past. */
export async function aMomentAgo(): Promise<string> {
  const moment = now();
  await eventually(
    async () => now(),
    (later) => later > moment,
  );
  return moment;
}

/** How many active subscriptions the list shows of a customer. */
export async function activeCount({ id }: Pick<OwnObject, 'id'>): Promise<number | undefined> {
  const { items } = await api('listCustomers', { query: { customer_id: id } }, 200);
  return items[0]?.active_subscription_count;
}

/** Ids and balances of all accounts of a customer. */
export const accountsOf = async ({ id }: Pick<OwnObject, 'id'>) =>
  (await api('getWallet', { path: { customerId: id } }, 200)).accounts.map(
    (account) => `${account.id} ${account.available}`,
  );

/** A new customer's subscription to a product, with functions to read, change and use it. */
export async function aMember(product: OwnProduct, terms: object = {}) {
  const customer = await aFreshCustomer();
  const made = await subscribe(customer, { ...to(product), ...ADDRESSES, ...terms });
  return {
    customer,
    made,
    look: () => shown(customer, made.id),
    set: (body: object) => update(customer, made.id, body),
    /** Submits usage. Returns the amounts of its fees. */
    async cost(changes: object = {}) {
      const { id } = await aUsageEvent(customer, product.eventType, changes);
      return (await stored(id)).fees.map((fee) => fee.amount);
    },
  };
}
