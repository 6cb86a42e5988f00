import {
  aDraftProduct,
  aFixedPrice,
  aUnitPrice,
  check,
  describe,
  expect,
  lexeme,
  refused,
  unique,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { DECIMALS, NO_DECIMALS } from './shared/limits.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';

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

describe('limits of prices and credit', () => {
  check(
    'PRD-63',
    { requirement: ['R-CONV-22', 'R-CONV-27'], level: 'ASSUMED', effect: 'E2', assumes: 'A-303' },
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
        for (const value of beyond)
          await refuse({ prices: [wholePrice(field, { [field]: value })] });
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
});

interface Basis {
  readonly priority: number;
  readonly accounting: object;
}
