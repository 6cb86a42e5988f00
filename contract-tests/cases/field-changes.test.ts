import {
  ADDRESSES,
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  api,
  check,
  expect,
  now,
  type OwnProduct,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { expectChanged, omit } from './shared/fields.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';
import { shown, subscribe, to, update } from './shared/subscriptions.ts';
import { HOUR_MS } from './shared/times.ts';

/** The content of the first version without number and status, with prices as they were sent. */
async function contentOf(product: Pick<OwnProduct, 'id'>) {
  const { name, prices, entitlements } = await versionOf(product, 1);
  return { name, prices: prices.map((one) => omit(one, 'id')), entitlements };
}

check(
  'SUB-34',
  { requirement: 'R-SUB-41', level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
  'renews_at of a subscription, its URLs, and nothing updated → only that field changes; id, products, status, start and another subscription stay',
  async () => {
    const [customer, product] = [await aFreshCustomer(), await aFreshProduct()];
    const renews_at = now(48 * HOUR_MS);
    const made = await subscribe(customer, { ...to(product), ...ADDRESSES, renews_at });
    const other = await subscribe(customer, to(await aFreshProduct()));
    expect((await shown(customer, made.id)).renews_at).toBe(renews_at);
    await expectChanged({
      made,
      read: async ({ id }) => ({ ...(await shown(customer, id)) }),
      update: ({ id }, body) => update(customer, id, body),
      changes: [{ renews_at: now(72 * HOUR_MS) }, { return_url: 'https://contract.invalid/other' }],
    });
    expect(await shown(customer, other.id)).toEqual(other);
  },
);

const WHOLE = { ...ENTITLEMENT, accounting: { revenue_basis: 0.5, cost_basis: 'auto' } };

check(
  'PRD-33',
  { requirement: ['R-PRD-36', 'R-PRD-45'], level: 'ASSUMED', effect: 'E2', assumes: 'A-501' },
  'name, prices or entitlements of a draft changed by itself, and none → only that field changes, in the order sent',
  async (t) => {
    const prices = ['contract.a', 'contract.b'].map((type, index) =>
      price(type, 'unit', [{ unit_price: index + 2 }], { billable_dimensions: ['region'] }),
    );
    await expectChanged({
      made: await aDraftProduct(t, { entitlements: [ENTITLEMENT] }),
      read: contentOf,
      update: ({ id: productId }, body) =>
        api(
          'updateProductVersion',
          { path: { productId, version: '1' }, body: body as never },
          204,
        ),
      changes: [
        { name: 'Contract changed' },
        { prices },
        { entitlements: [WHOLE, { ...WHOLE, name: 'More', amount: 7, purpose: 'promotion' }] },
      ],
    });
  },
);
