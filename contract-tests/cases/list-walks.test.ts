import {
  aConnectedAccount,
  aCustomer,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  anAsset,
  aProduct,
  api,
  assuming,
  aVendor,
  aWebhook,
  check,
  describe,
  expect,
  unique,
  uniqueSubject,
  usageEvent,
} from '../kit/index.ts';
import { keyOf, pageOf, walk } from './shared/lists.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { dispatch, walkLog } from './shared/webhooks.ts';

/** Calls `make` for each index, one after the other. Returns the results. */
async function inTurn<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make(index));
  return made;
}

async function submitted(customerId: string, subjects: readonly string[]): Promise<string[]> {
  const events = subjects.map((subject) => usageEvent('contract.walk', { subject }));
  await api('submitEvents', { body: { customer_id: customerId, events: events as never } }, 204);
  return events.map(({ id }) => id);
}

describe('lists read page by page to the end', () => {
  check(
    'X-35',
    { requirement: ['R-PAGE-01', 'R-PAGE-03', 'R-PAGE-04'], level: 'IMPLIED', effect: 'E0' },
    'accounts, assets, customers, customer stats, products, versions, vendors with limit 1, 2 and a divisor of their number → the whole list, each item once, count and summary the same',
    async () => {
      for (const make of [aVendor, anAsset, aCustomer, aConnectedAccount])
        for (const slot of ['main', 'other', 'main'] as const) await make(slot);
      for (const slot of ['usage', 'fixed'] as const) await aProduct(slot);
      for (const list of [
        'listConnectedAccounts',
        'listAssets',
        'listCustomers',
        'listCustomerStats',
        'listProducts',
        'listProductVersions',
        'listVendors',
      ] as const)
        await walk({ list });
    },
  );

  check(
    'CUS-24',
    { requirement: ['R-CUS-21', 'R-CUS-26', 'R-PAGE-03'], level: 'IMPLIED', effect: 'E3' },
    'six customers with one e-mail, paged through → each exactly once',
    async () => {
      const email = `${unique('mail')}@example.com`;
      const made = await inTurn(6, () => aFreshCustomer({ email }));

      await walk(
        { list: 'listCustomers', query: { email } },
        made.map(({ id }) => id),
      );
    },
  );

  check(
    'EVT-47',
    { requirement: ['R-EVT-39', 'R-EVT-40', 'R-PAGE-03'], level: 'MUST', effect: 'E3' },
    'six events of one subject, submitted in two batches, paged through → each exactly once, the later batch first',
    async () => {
      const customer = await aCustomer();
      const subject = uniqueSubject();
      const first = await submitted(customer.id, [subject, subject, subject]);
      const second = await submitted(customer.id, [subject, subject, subject]);
      const confined = { list: 'listEvents', query: { subject } } as const;
      await walk(confined, [...first, ...second]);
      const { items } = await pageOf(confined);

      expect(new Set(items.slice(0, 3).map(keyOf))).toEqual(new Set(second));
    },
  );

  check(
    'TSK-09',
    { requirement: ['R-PAGE-03', 'R-TSK-11'], level: 'IMPLIED', effect: 'E3' },
    'six tasks of one customer, paged through → each exactly once',
    async () => {
      const customer = await aFreshCustomer();
      const subjects = await inTurn(6, async () => uniqueSubject());
      await submitted(customer.id, subjects);

      await walk(
        { list: 'listTasks', query: { customer_id: customer.id } },
        subjects.map((subject) => `${customer.id}:${subject}`),
      );
    },
  );

  check(
    'PRD-31',
    { requirement: ['R-PAGE-03', 'R-PRD-33', 'R-PRD-51'], level: 'MUST', effect: 'E3' },
    'six subscribers of one product, paged through → each exactly once, with its own names',
    async () => {
      const [product, other] = [await aFreshProduct(), await aFreshProduct()];
      const made = await inTurn(6, (index) => aFreshCustomer({ name: `Contract ${index}` }));
      for (const customer of made) await subscribe(customer, to(product));
      await subscribe(await aFreshCustomer(), to(other));
      const confined = { list: 'listSubscribers', path: { productId: product.id } } as const;
      const { items, total_count } = await pageOf(confined);

      expect(total_count).toBe(6);
      expect(items).toHaveLength(6);
      await assuming('A-504', async () => {
        await walk(
          confined,
          made.map(({ id }) => id),
        );
        const named = items.map((item) => [item['customer_id'], item['customer_name']]);
        expect(Object.fromEntries(named)).toEqual(
          Object.fromEntries(made.map(({ id }, index) => [id, `Contract ${index}`])),
        );
      });
    },
  );

  check(
    'WAL-36',
    { requirement: ['R-PAGE-03', 'R-WAL-21'], level: 'IMPLIED', effect: 'E3' },
    'six grants in one account and one in another, paged through → each exactly once',
    async () => {
      const customer = await aFreshCustomer();
      await inTurn(6, (index) => anAdjustment(customer, { amount: index + 1 }));
      await anAdjustment(customer, { account_name: 'contract', amount: 99 });
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const { items } = await pageOf({ list: 'listGrants', path });
      await walk(
        { list: 'listGrants', path },
        items.map(({ id }) => String(id)),
      );

      expect(items.map(({ available }) => Number(available)).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    },
  );

  check(
    'WHK-42',
    {
      requirement: ['R-PAGE-07', 'R-PAGE-08', 'R-PAGE-09', 'R-WHK-24'],
      level: 'MUST',
      effect: 'E2',
    },
    'six log items paged by cursor with limit 1, 2, 3, 4 and 6, forward and back → each exactly once, newest first, no next at the end and no prev at the start',
    async (t) => {
      const webhook = await aWebhook(t);
      const sent = (await inTurn(6, () => dispatch(webhook))).reverse();
      for (const limit of [1, 2, 3, 4, 6])
        await walkLog([{ destination_id: [webhook.id] }], sent, limit);
    },
  );
});
