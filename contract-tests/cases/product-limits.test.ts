import {
  aDraftProduct,
  aFixedPrice,
  aProduct,
  aUnitPrice,
  call,
  check,
  describe,
  expect,
  type OperationId,
  refused,
  unique,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { long, TINY } from './shared/limits.ts';
import { ENTITLEMENT } from './shared/products.ts';

const calculation = {
  event_type: 'contract.limits',
  usage_type: 'unit_and_volume',
  volume_field: 'n',
};
const recurring = (interval_count: number) => ({
  billing_model: { type: 'recurring', recurring: { interval: 'month', interval_count } },
});
const usage = (changes: object) => ({
  prices: [{ ...aUnitPrice('contract.limits'), ...changes }],
});
const fixed = (changes: object) => ({ prices: [{ ...aFixedPrice(), ...changes }] });
const value = (changes: object) =>
  usage({
    usage_calculation: calculation,
    pricing: [{ asset: 'USD', values: [{ unit_price: 1, volume_rate: 1, ...changes }] }],
  });
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const entitled = (...changes: object[]) => ({
  entitlements: changes.map((change) => ({ ...ENTITLEMENT, ...change })),
});
const lasting = (duration_count: number) =>
  entitled({ lifecycle: { duration: 'month', duration_count } });

/** Changes to a product at a limit, each with one beyond the limit. */
const PRODUCTS: readonly (readonly [object, object])[] = [
  [{ name: long(256) }, { name: long(257) }],
  [{ description: long(1024) }, { description: long(1025) }],
  [usage({ name: long(256) }), usage({ name: long(257) })],
  [usage({ name: 'x' }), usage({ name: '' })],
  [value({ name: long(256) }), value({ name: long(257) })],
  [value({ unit_price: 0 }), value({ unit_price: -TINY })],
  [value({ unit_price: TINY }), value({ unit_price: TINY / 10 })],
  [value({ volume_rate: 0 }), value({ volume_rate: -TINY })],
  [value({ package_size: 1 }), value({ package_size: 0 })],
  [value({}), usage({ usage_calculation: { ...calculation, event_type: '' } })],
  [value({}), usage({ usage_calculation: { ...calculation, volume_field: '' } })],
  [fixed(recurring(1)), fixed(recurring(0))],
  [fixed(recurring(120)), fixed(recurring(121))],
  [
    fixed({ pricing: [{ asset: 'USD', values: [{ unit_price: 1, quantity: 1 }] }] }),
    fixed({ pricing: [{ asset: 'USD', values: [{ unit_price: 1, quantity: 0 }] }] }),
  ],
  [usage({}), usage({ pricing: [] })],
  [usage({}), usage({ pricing: [{ asset: 'USD', values: [] }] })],
  [entitled({ name: long(256) }), entitled({ name: long(257) })],
  [entitled({ amount: TINY }), entitled({ amount: 0 })],
  [entitled({ priority: 0 }), entitled({ priority: -1 })],
  [entitled({ accounting: { revenue_basis: 0 } }), entitled({ accounting: { revenue_basis: -1 } })],
  [lasting(1), lasting(0)],
  [
    entitled(...many(20, (index) => ({ name: `E${index}` }))),
    entitled(...many(21, (index) => ({ name: `E${index}` }))),
  ],
  [
    { prices: many(100, (index) => aUnitPrice(`contract.${index}`)) },
    { prices: many(101, (index) => aUnitPrice(`contract.${index}`)) },
  ],
];

describe('createProduct', () => {
  check(
    'PRD-37',
    {
      requirement: ['R-CONV-23', 'R-PRD-58', 'R-PRD-60'],
      level: 'ASSUMED',
      effect: 'E2',
      assumes: ['A-501', 'A-505', 'A-306'],
    },
    'names, counts, amounts and lists of a product, its prices, values and entitlements at each limit → accepted; one beyond → rejected',
    async (t) => {
      for (const [within, beyond] of PRODUCTS) {
        await aDraftProduct(t, within);
        const whole = {
          name: 'Contract refused',
          code: unique('refused'),
          ...usage({}),
          ...beyond,
        };
        await refused('createProduct', { body: whole });
      }
      await aDraftProduct(t, { code: unique('code').padEnd(64, '0') });
      for (const code of [unique('code').padEnd(65, '0'), '', '-code', 'co de', 'cöde'])
        await refused('createProduct', { body: { name: 'Contract refused', code, ...usage({}) } });
    },
  );
});

describe('products and versions without prices', () => {
  check(
    'PRD-69',
    {
      requirement: 'R-PRD-43',
      level: 'ASSUMED',
      effect: 'E2',
      assumes: ['A-204', 'A-501', 'A-511'],
    },
    'product without prices, with an empty list or null, even with credit, and a version or an update of a draft so → 422 that names prices; credit without a lifecycle, or null for it → 422 that names it',
    async (t) => {
      const { id: productId } = await aProduct();
      const draft = { productId: (await aDraftProduct(t)).id, version: '1' };
      const named = async (operation: OperationId, path: object, body: object) =>
        Object.keys((await call(operation, { path, body } as never, [422])).body.errors);
      const first = () => ({ name: 'Contract refused', code: unique('refused') });
      for (const prices of [undefined, null, []]) {
        const body = { prices, entitlements: [ENTITLEMENT] };
        expect(await named('createProduct', {}, { ...first(), ...body })).toEqual(['prices']);
        expect(await named('createProductVersion', { productId }, body)).toEqual(['prices']);
        if (prices !== undefined)
          expect(await named('updateProductVersion', draft, body)).toEqual(['prices']);
      }
      for (const lifecycle of [undefined, null]) {
        const body = { ...usage({}), entitlements: [{ ...ENTITLEMENT, lifecycle }] };
        for (const sent of [
          await named('createProduct', {}, { ...first(), ...body }),
          await named('createProductVersion', { productId }, body),
          await named('updateProductVersion', draft, body),
        ])
          expect(sent).toEqual(['entitlements[0].lifecycle']);
      }
    },
  );
});

const product = (prices: object[]) => ({
  body: { name: 'Refused', code: unique('refused'), prices } as never,
});

describe('prices that cannot be charged', () => {
  check(
    'PRD-49',
    {
      requirement: ['R-PRD-52', 'R-PRD-54'],
      level: 'ASSUMED',
      effect: 'E1',
      assumes: ['A-505', 'A-506'],
    },
    'fixed price in real time, usage by the month, two intervals in one version, amounts next to rows → rejected, alone and with a valid price',
    async () => {
      const eventType = unique('use');
      const fixed = aFixedPrice() as Readonly<Record<string, unknown>>;
      const usage = aUnitPrice(eventType) as Readonly<Record<string, unknown>>;
      const every = (interval: string, interval_count: number) => ({
        ...fixed,
        name: `Every ${interval_count} ${interval}`,
        billing_model: { type: 'recurring', recurring: { interval, interval_count } },
      });
      const nested = (values: object) => [{ asset: 'USD', values: [values] }];
      const wrong: object[][] = [
        [{ ...fixed, billing_model: { type: 'real_time' } }],
        [{ ...usage, name: 'Monthly use', billing_model: fixed['billing_model'] }],
        [every('month', 2), every('month', 3)],
        [every('month', 12), every('year', 1)],
        [{ ...fixed, pricing: nested({ unit_price: 1, values: [{ unit_price: 2 }] }) }],
        [{ ...usage, pricing: nested({ unit_price: 1, values: [{ unit_price: 2 }] }) }],
        [price(eventType, 'volume', [{ volume_rate: 1, values: [{ volume_rate: 2 }] }])],
      ];
      for (const prices of wrong) {
        await refused('createProduct', product(prices));
        await refused('createProduct', product([{ ...usage, name: 'Good' }, ...prices]));
      }
    },
  );
});
