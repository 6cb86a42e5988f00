import { ADDRESSES, aFixedPrice, aUnitPrice, check, describe, expect } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';

const [url, renews_at, ODD] = ['https://127.0.0.1:9/a', '2026-05-01T00:00:00Z', { odd: 1 }];
const FREE = { prices: [aUnitPrice('call')] };
const HOOK = { url: `${url}b`, topics: ['contract.unheard_of'] };
const TERMS = { return_url: url, failure_url: url, redirect_to: 'portal', renews_at };
const ADA = { name: 'Eve', external_id: 'eve', email: 'e@example.com', metadata: { a: 'b' } };
const DRAFT = { prices: [aFixedPrice()], entitlements: [ENTITLEMENT], publish: true };
const HOOKS = [{ url: 'no' }, { topics: [] }, { topics: ['*', 'A b'] }, { enabled: 1 }, ODD];
const PEOPLE = [{ external_id: 'bob' }, { email: 'no' }, { metadata: 1 }, { name: '' }, ODD];
const TIMES = [{ renews_at: '2026-02-01T00:00:00Z' }, { return_url: 'no' }, ODD];
const PARTS = [{ entitlements: [{}] }, { prices: [{}] }, { publish: 'no' }, ODD];

describe('rejected updates', () => {
  check(
    'X-79',
    {
      requirement: 'R-ERR-28',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-203', 'A-501', 'A-502', 'A-601', 'A-606', 'A-607'],
      needs: 'clock.movable',
    },
    'a destination, versions, a customer, subscriptions and their product, each updated and added to an hour later, with one wrong part beside each right one and all of them → rejected, every field as before, times too',
    async (t) => {
      const { call, until, path } = await aCustomerWorld(t);
      const { id: webhookId } = await call('createWebhook', { body: { url } });
      const plan = { name: 'Plan', code: 'plan', ...FREE, publish: true };
      const { id } = await call('createProduct', { body: plan });
      const of = { productId: id };
      for (const body of [DRAFT, { ...DRAFT, publish: true }, { ...FREE, entitlements: [] }])
        await call('createProductVersion', { path: of, body });
      await call('archiveProductVersion', { path: { ...of, version: '3' } });
      await call('createCustomer', { body: { name: 'Bob', external_id: 'bob' } });
      const add = async (version: number) => {
        const body = { ...ADDRESSES, products: [{ id, version }] };
        return { ...path, subscriptionId: (await call('createSubscription', { path, body })).id };
      };
      const [running, unpaid] = [await add(1), await add(2)];
      const draft = { ...of, version: '4' };
      const lists = ['listWebhooks', 'listCustomers', 'listProductVersions'] as const;
      const state = () =>
        Promise.all([
          ...lists.map((list) => call(list, {})),
          call('getProductVersion', { path: draft }),
          call('getProduct', { path: of }),
          call('getCustomer', { path }),
        ]);
      const used = { ...TERMS, products: [{ id, version: 1 }] };
      const versions = [ODD, ...[3, 4, 99, 'no'].map((version) => ({ version }))];
      const writes = [
        ['updateWebhook', { webhookId }, { ...HOOK, enabled: false }, HOOKS],
        ['createWebhook', {}, HOOK, HOOKS],
        ['updateCustomer', path, ADA, PEOPLE],
        ['createCustomer', {}, { ...ADA, external_id: 'new' }, PEOPLE],
        ['updateSubscription', running, { ...TERMS, status: 'inactive' }, TIMES],
        ['updateSubscription', unpaid, TERMS, [...TIMES, { status: 'active' }]],
        ['updateSubscriptionProduct', { ...unpaid, ...of }, { version: 1 }, versions],
        ['createSubscription', path, used, [...TIMES, { products: [{ id, version: 3 }] }]],
        ['updateProductVersion', draft, { ...DRAFT, name: 'Other', make_default: true }, PARTS],
        ['createProductVersion', of, { ...DRAFT, make_default: true }, PARTS],
      ] as const;
      await until('2026-03-01T13:00:00.000Z');
      for (const [operation, where, right, wrong] of writes) {
        const before = await state();
        const some = [...Object.entries(right).map(([key, value]) => ({ [key]: value })), right];
        for (const body of wrong.flatMap((bad) => some.map((good) => ({ ...good, ...bad })))) {
          await call(operation, { path: where as typeof of, body }, [400, 409, 422]);
          expect(await state(), `${operation} ${JSON.stringify(body)}`).toEqual(before);
        }
        await call(operation, { path: where as typeof of, body: right });
        expect(await state(), operation).not.toEqual(before);
      }
    },
  );
});
