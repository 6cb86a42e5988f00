import {
  aDraftProduct,
  aFixedPrice,
  aUnitPrice,
  check,
  expect,
  lexeme,
  refused,
  unique,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { DECIMALS, long, NO_DECIMALS, TINY } from './shared/fields.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';

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

/** Changes to a product at a limit, if none other is there, each with one beyond the limit. */
const PRODUCTS: readonly (readonly [within: object | null, beyond: object])[] = [
  [{ name: long(256) }, { name: long(257) }],
  [{ description: long(1024) }, { description: long(1025) }],
  [usage({ name: long(256) }), usage({ name: long(257) })],
  [null, usage({ name: '' })],
  [value({ name: long(256) }), value({ name: long(257) })],
  [value({ unit_price: 0 }), value({ unit_price: -TINY })],
  [value({ volume_rate: 0 }), value({ volume_rate: -TINY })],
  [null, usage({ usage_calculation: { ...calculation, event_type: '' } })],
  [null, usage({ usage_calculation: { ...calculation, volume_field: '' } })],
  [fixed(recurring(1)), fixed(recurring(0))],
  [fixed(recurring(120)), fixed(recurring(121))],
  [null, usage({ pricing: [] })],
  [null, usage({ pricing: [{ asset: 'USD', values: [] }] })],
  [entitled({ name: long(256) }), entitled({ name: long(257) })],
  [entitled({ amount: TINY }), entitled({ amount: 0 })],
  [entitled({ priority: 0 }), entitled({ priority: -1 })],
  [entitled({ accounting: { revenue_basis: 0 } }), entitled({ accounting: { revenue_basis: -1 } })],
  [lasting(1), lasting(0)],
  // Another check has as many entitlements and prices as there may be.
  [null, entitled(...many(21, (index) => ({ name: `E${index}` })))],
  [null, { prices: many(101, (index) => aUnitPrice(`contract.${index}`)) }],
];

check(
  'PRD-37',
  { requirement: 'R-CONV-23 R-PRD-58 R-PRD-60', effect: 'E2', assumes: 'A-501 A-505 A-306' },
  'names, counts, amounts and lists of a product, its prices, values and entitlements at each limit → accepted; one beyond → rejected',
  async (t) => {
    for (const [within, beyond] of PRODUCTS) {
      if (within) await aDraftProduct(t, within);
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

const volume = (values: object[], more: object = {}) => ({
  ...price('contract.limits', 'unit_and_volume', values),
  ...more,
});
const tiers = (values: object[]) =>
  volume(values, { pricing_model: 'tiered', tiering: { basis: 'volume' } });
const amounts = { unit_price: 1, volume_rate: 1 };

/** Whole numbers and their limits, as rows of prices. */
const WHOLE = [
  ['package_size', '9007199254740991', '1', [9007199254740992, 0, 1.5, -1]],
  ['quantity', '2147483647', '1', [2147483648, 0, 1.5, -1]],
] as const;

const ROWS: readonly (readonly [field: string, of: (row: object) => object])[] = [
  ['unit_price', (row) => volume([row])],
  ['volume_rate', (row) => volume([row])],
  ['min_amount', (row) => tiers([{ ...amounts, ...row }])],
  ['max_amount', (row) => tiers([{ ...amounts, ...row }])],
  ['up_to', (row) => tiers([{ ...amounts, ...row }, amounts])],
];

const wholePrice = (field: string, row: object) =>
  field === 'quantity'
    ? { ...aFixedPrice(), pricing: [{ asset: 'USD', values: [{ unit_price: 1, ...row }] }] }
    : volume([{ ...amounts, ...row }]);

check(
  'PRD-63',
  { requirement: 'R-CONV-22 R-CONV-27', effect: 'E2', assumes: 'A-303' },
  'amounts, rates, bounds and sizes of prices, and amounts and bases of entitlements, with fifteen digits, with ten decimals and the smallest, whole numbers at both ends → accepted, shown to the last digit; one beyond → rejected',
  async (t) => {
    const cases = [
      ...ROWS.flatMap(([field, of]) =>
        DECIMALS.map((digits) => [field, digits, of({ [field]: Number(digits) })] as const),
      ),
      ...WHOLE.flatMap(([field, ...ends]) =>
        ends.slice(0, 2).map((digits) => {
          return [field, String(digits), wholePrice(field, { [field]: Number(digits) })] as const;
        }),
      ),
    ];
    const prices = cases.map(([, , made], index) => ({ ...made, name: `P${index}` }));
    const bases = DECIMALS.map((digits, index) => ({
      ...{ ...ENTITLEMENT, name: `E${index}`, amount: Number(digits), priority: 2147483647 },
      accounting: { revenue_basis: Number(digits), cost_basis: Number(digits) },
    }));
    const shown = await versionOf(await aDraftProduct(t, { prices, entitlements: bases }), 1);
    for (const [index, [field, digits]] of cases.entries()) {
      const row = shown.prices[index]?.pricing[0]?.values[0] as object;
      expect(lexeme(row, field as never), field).toBe(digits);
    }
    for (const [index, digits] of DECIMALS.entries()) {
      const { accounting, ...entitlement } = shown.entitlements[index] as never as Basis;
      expect(lexeme(shown.entitlements[index] as object, 'amount' as never)).toBe(digits);
      expect(lexeme(accounting, 'revenue_basis' as never)).toBe(digits);
      expect(lexeme(accounting, 'cost_basis' as never)).toBe(digits);
      expect(entitlement.priority).toBe(2147483647);
    }
    const refuse = (content: object) =>
      refused('createProduct', {
        body: { name: 'Refused', code: unique('refused'), prices: [aUnitPrice('c')], ...content },
      });
    for (const [field, of] of ROWS)
      for (const value of NO_DECIMALS) await refuse({ prices: [of({ [field]: value })] });
    for (const [field, , , beyond] of WHOLE)
      for (const value of beyond) await refuse({ prices: [wholePrice(field, { [field]: value })] });
    for (const value of NO_DECIMALS)
      for (const change of [
        { amount: value },
        { accounting: { revenue_basis: value } },
        { accounting: { cost_basis: value } },
      ])
        await refuse({ entitlements: [{ ...ENTITLEMENT, ...change }] });
    await refuse({ entitlements: [{ ...ENTITLEMENT, priority: 2147483648 }] });
  },
);

interface Basis {
  readonly priority: number;
  readonly accounting: object;
}
