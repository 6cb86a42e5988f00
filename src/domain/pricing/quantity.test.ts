import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  type Decimal,
  decimal,
  format,
  multiply,
  subtract,
  sum,
  ZERO,
} from '../decimal.ts';
import { instant } from '../instant.ts';
import { modelOf } from './models.ts';
import {
  groupsOf,
  type PriceGroup,
  type PriceRow,
  type PricingEntry,
  type PricingModel,
  type Tiering,
  type UsagePrice,
} from './price.ts';
import { amountOf } from './price-breakdown.ts';
import { countOf } from './quantity.ts';

/** Enough places that no amount of these prices is rounded. */
const UNROUNDED = 30;

function priceOf(
  pricing_model: PricingModel,
  basis: Tiering['basis'],
  values: readonly PriceRow[],
): UsagePrice {
  return {
    pricing_model,
    tiering: { ...(basis && { basis }), period: 'monthly' },
    usage_calculation: {
      event_type: 'e',
      usage_type: 'volume',
      volume_field: 'v',
      billable_dimensions: [],
    },
    pricing: [{ asset: 'USD', values }],
  };
}

/** The fees of consecutive volumes, unrounded. */
function feesOf(price: UsagePrice, volumes: readonly Decimal[]): Decimal[] {
  const model = modelOf(price);
  const [group] = groupsOf(price.pricing[0] as PricingEntry, true);
  let before = ZERO;
  return volumes.map((volume) => {
    const breakdown = model.amount(price, group as PriceGroup, volume, before);
    before = add(before, model.quantity(price, volume) ?? ZERO);
    return amountOf(breakdown, UNROUNDED);
  });
}

const total = (price: UsagePrice, volumes: readonly Decimal[]) =>
  format(sum(feesOf(price, volumes)));

const amount = fc.integer({ min: 0, max: 100_000 }).map((cents) => decimal(`${cents}e-2`));
const volumes = fc.array(amount, { maxLength: 8 });
const tiers = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 300 }), amount), { minLength: 1, maxLength: 5 })
  .map((rows): PriceRow[] => {
    let end = 0;
    return rows.map(([length, rate], place) => {
      end += length;
      const bound = place < rows.length - 1 && { up_to: String(end) };
      return { ...bound, volume_rate: format(rate) };
    });
  });

describe('a tiered price without bounds', () => {
  it('costs in total the graduated price of the whole quantity, however it is split', () => {
    fc.assert(
      fc.property(tiers, volumes, (rows, split) => {
        const price = priceOf('tiered', 'volume', rows);
        expect(total(price, split)).toBe(total(price, [sum(split)]));
        // The price of the whole volume: for each row, the part within its bounds at its rate.
        const whole = sum(split);
        const graduated = rows.map(({ up_to, volume_rate = '0' }, place) => {
          const start = decimal(rows[place - 1]?.up_to ?? '0');
          const end =
            up_to === undefined || compare(whole, decimal(up_to)) < 0 ? whole : decimal(up_to);
          return compare(end, start) > 0
            ? multiply(subtract(end, start), decimal(volume_rate))
            : ZERO;
        });
        expect(total(price, split)).toBe(format(sum(graduated)));
      }),
    );
  });
});

describe('a package price', () => {
  it('bills exactly the packages that were started, however the quantity is split', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), volumes, (package_size, split) => {
        const price = priceOf('package', undefined, [{ volume_rate: '1', package_size }]);
        const paid = Number(total(price, split));
        const used = Number(sum(split));
        expect(paid * package_size).toBeGreaterThanOrEqual(used);
        expect((paid - 1) * package_size).toBeLessThan(Math.max(used, 1e-9));
      }),
    );
  });
});

describe('countOf', () => {
  it.each([
    ['lifetime', '2026-05-10T00:00:00.000Z', '2026-05-10T00:00:00.000Z'],
    ['monthly', '2026-05-10T00:00:00.000Z', '2026-05-10T00:00:00.000Z'],
    ['monthly', '2026-04-10T00:00:00.000Z', '2026-05-01'],
  ] as const)('begins a new count for a %s period at a change of basis at %s: %s', (...given) => {
    const [period, changed, since] = given;
    const price = { ...priceOf('tiered', 'unit', []), tiering: { basis: 'unit', period } } as const;
    const group = { name: undefined, dimensions: {}, rows: [] as never };
    const at = instant('2026-05-31T00:00:00Z');
    expect(countOf(price, 'USD', group, at, instant(changed))?.since).toBe(since);
  });

  it.each([
    ['lifetime', '2026-05-31T23:59:59.999Z', '1970-01-01'],
    ['monthly', '2026-05-31T23:59:59.999Z', '2026-05-01'],
    ['monthly', '2026-06-01T00:00:00.000Z', '2026-06-01'],
    ['quarterly', '2026-03-31T23:59:59.999Z', '2026-01-01'],
    ['quarterly', '2026-04-01T00:00:00.000Z', '2026-04-01'],
    ['quarterly', '2026-12-31T23:59:59.999Z', '2026-10-01'],
    ['yearly', '2026-12-31T23:59:59.999Z', '2026-01-01'],
  ] as const)('counts for a %s period at %s the quantity since %s', (period, at, since) => {
    const price = { ...priceOf('tiered', 'unit', []), tiering: { basis: 'unit', period } } as const;
    const group = { name: undefined, dimensions: {}, rows: [] as never };
    expect(countOf(price, 'USD', group, instant(at), undefined)).toMatchObject({
      basis: 'unit',
      period,
      since,
    });
  });
});
