import {
  ADDRESSES,
  aDraftProduct,
  adjustment,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  describe,
  expect,
  now,
  type OwnProduct,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { expectChanged, expectKept, type Fields, omit } from './shared/fields.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { grantOf } from './shared/wallets.ts';

const METADATA = { invoice: '17', 'a key': 'ünï ✨' };
const HOUR_MS = 3_600_000;

/** The content of a version without number and status, with prices as they were sent. */
async function contentOf(product: Pick<OwnProduct, 'id'>, version: number) {
  const { name, prices, entitlements } = await versionOf(product, version);
  return { name, prices: prices.map((one) => omit(one, 'id')), entitlements };
}

describe('optional fields of adjustments and charges', () => {
  check(
    'WAL-38',
    {
      requirement: ['R-WAL-10', 'R-WAL-11', 'R-WAL-50'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-709',
    },
    'description, metadata, account and expiry of an adjustment: none, each alone, all, null → shown by its transaction and its grant',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await expectKept({
        async make(fields) {
          const body = { ...omit(adjustment(), 'metadata'), reason: 'gift', ...fields } as never;
          return api('adjustWallet', { path, body }, 201);
        },
        async read({ id }) {
          const shown = await api(
            'getWalletTransaction',
            { path: { ...path, transactionId: id } },
            200,
          );
          const [account_name] = shown.account_id.split(':');
          const grant = await grantOf(customer, undefined, shown.account_id);
          return { ...shown, account_name, expires_at: grant?.expires_at };
        },
        values: () => ({
          description: 'Goodwill ✨',
          metadata: METADATA,
          account_name: 'contract',
          expires_at: now(HOUR_MS),
        }),
        defaults: () => ({ account_name: 'default' }),
      });
    },
  );
});

describe('fields of product versions', () => {
  const WHOLE = { ...ENTITLEMENT, accounting: { revenue_basis: 0.5, cost_basis: 'auto' } };

  const NEXT = {
    name: 'Contract changed',
    prices: ['contract.a', 'contract.b'].map((type, index) =>
      price(type, 'unit', [{ unit_price: index + 2 }], { billable_dimensions: ['region'] }),
    ),
    entitlements: [WHOLE, { ...WHOLE, name: 'More', amount: 7, purpose: 'promotion' }],
  };

  check(
    'PRD-33',
    { requirement: ['R-PRD-36', 'R-PRD-45'], level: 'ASSUMED', effect: 'E2', assumes: 'A-501' },
    'name, prices or entitlements of a draft changed by itself, and none → only that field changes, in the order sent',
    async (t) => {
      await expectChanged({
        made: await aDraftProduct(t, { entitlements: [ENTITLEMENT] }),
        read: (product) => contentOf(product, 1),
        update(product, body) {
          const path = { productId: product.id, version: '1' };
          return api('updateProductVersion', { path, body: body as never }, 204);
        },
        changes: NEXT as Fields,
      });
    },
  );

  check(
    'PRD-35',
    {
      requirement: ['R-PRD-04', 'R-PRD-06', 'R-PRD-07', 'R-PRD-08', 'R-PRD-09'],
      level: 'MUST',
      effect: 'E3',
    },
    'prices of each usage type and fixed prices, values with names, two dimensions, two assets and amounts of 0 → every field sent is shown in its place, and no other',
    async (t) => {
      const { code } = await aFreshAsset({ precision: 2 });
      const values = [
        { name: 'Both', dimensions: { region: 'eu', tier: 'gold' }, unit_price: 0.1 },
        { dimensions: { region: 'eu', tier: '*' }, unit_price: 0.2 },
        { unit_price: 0.3 },
      ];
      const volumes = [{ name: 'Any', volume_rate: 0.5, package_size: 1000 }];
      const more = { billable_dimensions: ['region', 'tier'] };
      const entries = [
        { asset: code, values },
        { asset: 'USD', values: [{ unit_price: 1 }] },
      ];
      const prices = [
        aFixedPrice(20),
        { ...aFixedPrice(3), name: 'Second' },
        { ...price('contract.a', 'unit', [], more), pricing: entries },
        price('contract.b', 'volume', volumes),
        price('contract.c', 'unit_and_volume', [{ unit_price: 1, ...volumes[0] }]),
        aFixedPrice(0),
        price('contract.d', 'unit', [{ unit_price: 0 }]),
        price('contract.e', 'volume', [{ volume_rate: 0, package_size: 10 }]),
        price('contract.f', 'unit_and_volume', [
          { unit_price: 0, volume_rate: 0, package_size: 10 },
        ]),
      ];
      const product = await aDraftProduct(t, { prices });
      const shown = (await contentOf(product, 1)).prices as typeof prices;

      expect(shown).toHaveLength(prices.length);
      for (const [index, sent] of prices.entries()) {
        expect(shown[index]).toMatchObject(sent);
        expect((shown[index] as Fields)['pricing']).toEqual((sent as Fields)['pricing']);
      }
    },
  );
});

describe('fields of subscriptions', () => {
  check(
    'SUB-34',
    { requirement: 'R-SUB-41', level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
    'update of renews_at, then of the URLs, then of nothing → only that field changes; id, products, status and start stay',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const [first, second] = [now(48 * HOUR_MS), now(72 * HOUR_MS)];
      const body = { ...to(await aFreshProduct()), ...ADDRESSES, renews_at: first };
      const { id } = await subscribe(customer, body);
      const other = await subscribe(customer, to(await aFreshProduct()));
      const read = async () => {
        const { subscriptions = [] } = await api('getCustomer', { path }, 200);
        expect(subscriptions.find((each) => each.id === other.id)).toEqual(other);
        return subscriptions.find((each) => each.id === id) as Fields;
      };
      const update = (change: object) =>
        call('updateSubscription', { path: { ...path, subscriptionId: id }, body: change }, [204]);
      const before = await read();
      await update({ renews_at: second });
      const moved = await read();
      await update({ return_url: 'https://contract.invalid/other' });
      await update({});

      expect(before['renews_at']).toBe(first);
      expect(moved).toEqual({ ...before, renews_at: second });
      expect(await read()).toEqual(moved);
    },
  );
});
