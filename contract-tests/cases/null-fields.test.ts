import {
  ADDRESSES,
  aDraftProduct,
  adjustment,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  blackHole,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  type OperationId,
  unique,
  uniqueAssetCode,
  usageEvent,
  useUp,
  uuid,
  withNulls,
} from '../kit/index.ts';
import { assetOf } from './shared/assets.ts';
import { price, stored, taskOf } from './shared/events.ts';
import { priced, ROWS } from './shared/prices.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';
import { detailOf, ONE_TIME } from './shared/subscriptions.ts';
import { request } from './shared/top-ups.ts';
import { aNewVendor } from './shared/vendors.ts';
import { charge, grantsOf } from './shared/wallets.ts';

/** A request that leaves out optional fields, and how to read what it made. */
interface Sparse {
  readonly path?: Readonly<Record<string, string>>;
  readonly body: object;
  // biome-ignore lint/suspicious/noExplicitAny: The body of any operation.
  read(reply: any): Promise<unknown>;
}

/** What a response shows, without null, ids, and the values of times and links. */
const alike = (shown: unknown): unknown =>
  JSON.parse(
    JSON.stringify(shown, (name, value) => {
      const isId = /(^|_)id$/.test(name) && name !== 'external_id';
      if (value === null || isId) return undefined;
      return /(_at|^valid_\w+|^redirect_url)$/.test(name) ? 'some' : value;
    }),
  );

/** Makes two objects, one with fields left out and one with null for them, and expects that they show the same. */
async function expectSame(operation: OperationId, make: () => Promise<Sparse>): Promise<void> {
  const shown: unknown[] = [];
  for (const fill of [(body: object) => body, (body: object) => withNulls(operation, body)]) {
    const { path, body, read } = await make();
    const parts = { ...(path && { path }), body: fill(body) };
    const reply = await useUp(operation, () => call(operation, parts, [200, 201, 204]));
    shown.push(alike(await read(reply.body)));
  }
  expect(shown[1], operation).toEqual(shown[0]);
}

type ProductBody = Record<'prices' | 'entitlements', object[]>;

/** What a draft shows after an update. */
async function alikeAfter(t: CheckContext, content: object, body: object): Promise<object> {
  const draft = await aDraftProduct(t, { name: 'Contract null', ...content });
  const path = { productId: draft.id, version: '1' };
  await call('updateProductVersion', { path, body }, [204]);
  const { code: _, ...shown } = await versionOf(draft, 1);
  return alike(shown) as object;
}

/** Prices and entitlements of every kind, each with no optional field and with some. */
const PRICES = [
  { ...aFixedPrice(), name: 'Monthly' },
  ONE_TIME,
  { ...ONE_TIME, name: 'Period', billing_model: { type: 'one_time', one_time: {} } },
  aUnitPrice('contract.null'),
  ...['volume', 'unit_and_volume'].map((usage_type) => ({
    ...price('contract.null', usage_type, [{ volume_rate: 2 }]),
    name: usage_type,
  })),
  ...priced('tiered', { basis: 'volume' }, ROWS)('contract.null'),
  ...priced('bulk', { basis: 'volume' }, [{ values: ROWS }])('contract.null'),
  ...priced('package', undefined, [{ volume_rate: 2, package_size: 10 }])('contract.null'),
].map((each, index) => ({ ...each, name: `P${index}` }));
const ENTITLEMENTS = [
  ENTITLEMENT,
  { ...ENTITLEMENT, name: 'Day', lifecycle: { duration: 'day' }, accounting: {} },
  { ...ENTITLEMENT, name: 'Basis', accounting: { revenue_basis: 0.5 }, priority: 0 },
];

describe('null for optional fields', () => {
  check(
    'X-27',
    { requirement: 'R-CONV-24', level: 'ASSUMED', effect: 'E3', assumes: 'A-307' },
    'each optional field of each create request as null, at every depth and together, next to those given → accepted, and the object is as if they were left out; in an update of a draft → that field alone is cleared: accounts, assets, vendors and destinations',
    async () => {
      const name = 'Contract null';
      await expectSame('createConnectedAccount', async () => ({
        body: { name },
        read: ({ id }) => api('getConnectedAccount', { path: { accountId: id } }, 200),
      }));
      for (const rates of [
        {},
        { rates: [{ source: 'USD', rate: 0.5 }] },
        { rates: [{ source: 'EUR', inverse_rate: 4 }] },
      ])
        await expectSame('createAsset', async () => ({
          body: { code: uniqueAssetCode(), name, ...rates },
          async read({ code }) {
            const { label, ...asset } = await assetOf(code);
            return { ...asset, code: label === code };
          },
        }));
      await expectSame('setAssetRate', async () => {
        const { code } = await aFreshAsset();
        const path = { assetCode: code };
        const read = async () => (await assetOf(code)).rates;
        return { path, body: { source: 'USD', rate: 0.5 }, read };
      });
      await expectSame('createVendor', async () => ({
        body: { name },
        read: ({ id }) => api('getVendor', { path: { vendorId: id } }, 200),
      }));
      const url = blackHole();
      await expectSame('createWebhook', async () => ({
        body: { url },
        async read({ id }) {
          const path = { webhookId: id };
          const { secret: _, ...shown } = await api('getWebhook', { path }, 200);
          await api('deleteWebhook', { path }, 204);
          return shown;
        },
      }));
    },
  );

  check(
    'X-86',
    { requirement: 'R-CONV-24', level: 'ASSUMED', effect: 'E4', assumes: 'A-307' },
    'each optional field of each create request as null, at every depth and together, next to those given → accepted, and the object is as if they were left out; in an update of a draft → that field alone is cleared: customers, subscriptions and top-ups',
    async () => {
      const [usage, fixed] = [await aFreshProduct(), await aFreshProduct({ prices: PRICES })];
      const subscriptions = [
        { products: [{ id: usage.id }] },
        { products: [{ code: usage.code }, { id: fixed.id }], ...ADDRESSES },
      ];
      const external_accounts = [{ provider: 'stripe', provider_id: 'contract' }];
      for (const more of [{}, { subscriptions }, { external_accounts }])
        await expectSame('createCustomer', async () => ({
          body: { name: 'Contract null', ...more },
          read: async (made) => [made, await detailOf(made)],
        }));
      for (const body of subscriptions)
        await expectSame('createSubscription', async () => {
          const customer = await aFreshCustomer({ name: 'Contract null', external_id: null });
          const read = async (made: object) => [made, await detailOf(customer)];
          return { path: { customerId: customer.id }, body, read };
        });
      for (const more of [
        {},
        { destination: {} },
        { destination: { asset: 'EUR', exchange_rate: 2 } },
      ])
        await expectSame('createTopUp', async () => {
          const body = request(await aFreshCustomer(), more);
          const read = ({ id }: { id: string }) => api('getTopUp', { path: { topUpId: id } }, 200);
          return { body, read };
        });
    },
  );

  check(
    'X-87',
    { requirement: 'R-CONV-24', level: 'ASSUMED', effect: 'E4', assumes: 'A-307' },
    'each optional field of each create request as null, at every depth and together, next to those given → accepted, and the object is as if they were left out; in an update of a draft → that field alone is cleared: adjustments and charges',
    async () => {
      const charged = (more: object) => () => charge({ amount: 1, ...more });
      for (const [operation, make] of [
        ['adjustWallet', () => adjustment({ metadata: undefined as never })],
        ['chargeWallet', charged({})],
        ['chargeWallet', charged({ input_units: 2, unit_price: 0.5 })],
        ['chargeWallet', charged({ input_volume: 2, volume_rate: 0.5 })],
      ] as const)
        await expectSame(operation, async () => {
          const [customer, body] = [await aFreshCustomer(), make()];
          const path = { customerId: customer.id };
          const of = { path: { ...path, transactionId: body.transaction_id } };
          const read = async () => [
            await api('getWalletTransaction', of, 200),
            await api('getWallet', { path }, 200),
            await grantsOf(customer),
          ];
          return { path, body, read };
        });
    },
  );

  check(
    'X-88',
    { requirement: 'R-CONV-24', level: 'ASSUMED', effect: 'E4', assumes: 'A-307' },
    'each optional field of each create request as null, at every depth and together, next to those given → accepted, and the object is as if they were left out; in an update of a draft → that field alone is cleared: products and usage',
    async (t) => {
      const [vendor_id, vendor_external_id] = [await aNewVendor(), unique('vendor')];
      const vendor = { name: 'Contract null', external_id: vendor_external_id };
      await useUp('vendor', () => api('createVendor', { body: vendor }, 201));
      const product = await aFreshProduct({ prices: PRICES.slice(3) });
      const products = [{ id: product.id }];
      for (const data of [undefined, { tokens: 25 }])
        for (const isExternal of [false, true])
          await expectSame('submitEvents', async () => {
            const { id, external_id } = await aFreshCustomer({ subscriptions: [{ products }] });
            const costs = [{ vendor_id }, { vendor_external_id }].map((each) => {
              return { id: uuid(), amount: 0.5, ...each };
            });
            const none = usageEvent('contract.null', { subject: undefined, data });
            const events = [none, usageEvent('contract.null', { subject: 's', data, costs })];
            const who = isExternal ? { customer_external_id: external_id } : { customer_id: id };
            const read = async () => {
              const { customer: _, ...task } = await taskOf({ id }, 's');
              return [await stored(none.id), task];
            };
            return { body: { ...who, events }, read };
          });
      const path = { productId: product.id, version: '1' };
      await expectSame('simulateUsage', async () => {
        const events = [usageEvent('contract.null', { subject: undefined })];
        return { path, body: { events }, read: async ({ fees }) => fees };
      });

      const contents = [{ prices: PRICES, entitlements: ENTITLEMENTS }, { prices: PRICES }];
      for (const content of contents) {
        const shown = async ({ id, version }: { id: string; version: number }) => {
          const { code: _, ...whole } = await versionOf({ id }, version);
          return whole;
        };
        await expectSame('createProduct', async () => {
          const body = { name: 'Contract null', code: unique('null'), ...content };
          return { body, read: shown };
        });
        await expectSame('createProductVersion', async () => {
          const { id } = await aDraftProduct(t, { name: 'Contract null', ...contents[0] });
          return { path: { productId: id }, body: content, read: shown };
        });
      }
      const { prices, entitlements } = withNulls(
        'createProductVersion',
        contents[0] as ProductBody,
      );
      const sent = [contents[0], { prices, entitlements }] as object[];
      const written = await Promise.all(sent.map((body) => alikeAfter(t, {}, body)));
      expect(written[1]).toEqual(written[0]);
      expect(await alikeAfter(t, contents[0] as object, { entitlements: null })).toEqual({
        ...written[0],
        entitlements: [],
      });
    },
  );
});
