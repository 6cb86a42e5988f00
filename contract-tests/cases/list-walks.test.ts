import {
  aConnectedAccount,
  aCustomer,
  aFreshCustomer,
  aFreshProduct,
  anAsset,
  aProduct,
  assuming,
  aVendor,
  aWebhook,
  check,
  describe,
  expect,
} from '../kit/index.ts';
import { pageOf, walk } from './shared/lists.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { dispatch, walkLog } from './shared/webhooks.ts';

/** Calls `make` for each index, one after the other. Returns the results. */
async function serializePipelined<T>(
  count: number,
  make: (index: number) => Promise<T>,
): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make(index));
  return made;
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
    'PRD-31',
    { requirement: ['R-PAGE-03', 'R-PRD-33', 'R-PRD-51'], level: 'MUST', effect: 'E3' },
    'six subscribers of one product, paged through → each exactly once, with its own names',
    async () => {
      const [product, other] = [await aFreshProduct(), await aFreshProduct()];
      const made = await serializePipelined(6, (index) =>
        aFreshCustomer({ name: `Contract ${index}` }),
      );
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
    'WHK-42',
    {
      requirement: ['R-PAGE-07', 'R-PAGE-08', 'R-PAGE-09', 'R-WHK-24'],
      level: 'MUST',
      effect: 'E2',
    },
    'six log items paged by cursor with limit 1, 2, 3, 4 and 6, forward and back → each exactly once, newest first, no next at the end and no prev at the start',
    async (t) => {
      const webhook = await aWebhook(t);
      const sent = (await serializePipelined(6, () => dispatch(webhook))).reverse();
      for (const limit of [1, 2, 3, 4, 6])
        await walkLog([{ destination_id: [webhook.id] }], sent, limit);
    },
  );
});
