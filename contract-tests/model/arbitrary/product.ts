import fc from 'fast-check';
import {
  type ContentSketch,
  type EntitlementSketch,
  type FixedPriceSketch,
  type Interval,
  LONG_CODE,
} from '../history.ts';
import { usagePrice } from './price.ts';

export const ASSETS = ['CR', LONG_CODE, 'USD'] as const;

type Cycle = { readonly interval: Interval; readonly every: number } | undefined;

type Values = FixedPriceSketch['pricing'][number]['values'];

/** The same values in each currency, but in euros more. */
const inEach = (currencies: readonly string[], values: Values) =>
  currencies.map((asset) => ({
    asset,
    values: values.map(({ unit_price, ...value }) => ({
      ...value,
      unit_price: unit_price > 0 && asset === 'EUR' ? unit_price + 3 : unit_price,
    })),
  }));

const once = (name: string, currencies: readonly string[]): FixedPriceSketch => ({
  name,
  type: 'fixed',
  billing_model: { type: 'one_time', one_time: {} },
  pricing: inEach(currencies, [{ unit_price: 25 }]),
});

/** Mostly no fee, or one that does not recur. */
const withoutCycle = fc.constantFrom([], [], [], [once('Setup', ['USD'])]);

const fixed = (cycle: NonNullable<Cycle>): fc.Arbitrary<FixedPriceSketch[]> =>
  fc
    .record({
      prices: fc.constantFrom([0], [10], [20], [10, 10]),
      quantity: fc.constantFrom(undefined, 2),
      currencies: fc.constantFrom(['USD'], ['USD'], ['USD'], ['USD', 'EUR'], ['EUR', 'USD']),
      added: fc.constantFrom(undefined, undefined, 'Setup', 'Move'),
    })
    .map(({ prices, quantity, currencies, added }) => [
      {
        name: 'Fee',
        type: 'fixed',
        billing_model: {
          type: 'recurring',
          recurring: { interval: cycle.interval, interval_count: cycle.every },
        },
        pricing: inEach(
          currencies,
          prices.map((unit_price) => ({ unit_price, ...(quantity && { quantity }) })),
        ),
      },
      ...(added ? [once(added, currencies)] : []),
    ]);

const lifecycle = fc.constantFrom<EntitlementSketch['lifecycle'][]>(
  { duration: 'year' },
  { duration: 'month' },
  { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
  { duration: 'week', refresh: { strategy: 'expire_and_replace' } },
  { duration: 'month', refresh: { strategy: 'rollover' } },
  { duration: 'week', refresh: { strategy: 'rollover' } },
  { duration: 'month', duration_count: 2, refresh: { strategy: 'expire_and_replace' } },
  { duration: 'day', duration_count: 10, refresh: { strategy: 'rollover' } },
  { duration: 'day', duration_count: 3 },
);

/** Entitlements, of which two share a name. Those with the same name have the same lifecycle in every version of a product. */
const entitlements = (lasting: readonly EntitlementSketch['lifecycle'][], hasFee: boolean) =>
  fc
    .tuple(
      ...lasting.map((each, index) =>
        fc.option(
          fc
            .record({
              amount: fc.constantFrom(1, 5, 20),
              asset: fc.constant(index === 1 ? LONG_CODE : 'CR'),
              purpose: fc.constantFrom<'bundled' | 'promotion'>('bundled', 'promotion'),
              priority: fc.constantFrom(undefined, undefined, 9, 10),
              basis: fc.constantFrom(...(hasFee ? [0, 0.05, 3] : [0, 0.05, 0.0000000003])),
            })
            .map(
              ({ basis, priority, ...given }): Omit<EntitlementSketch, 'place'> => ({
                ...given,
                name: `E${index % 2}`,
                ...(priority && { priority }),
                lifecycle: each,
                accounting: { revenue_basis: basis },
              }),
            ),
          { nil: undefined },
        ),
      ),
    )
    .map((given) => given.filter((each) => each !== undefined))
    .map((given) =>
      given.map((each, index) => ({
        ...each,
        place: given.slice(0, index).filter(({ name }) => name === each.name).length,
      })),
    );

/** The content of a version. It has this many usage prices more than the usual one or two. */
const versionContent = (
  cycle: Cycle,
  lasting: readonly EntitlementSketch['lifecycle'][],
  morePrices: number,
) =>
  fc
    .record({
      usage: fc.tuple(
        fc.constantFrom('U', 'V').chain((name) => usagePrice(name, ASSETS)),
        fc.option(usagePrice('W', ASSETS), { nil: undefined }),
        ...Array.from({ length: morePrices }, (_, index) => usagePrice(`X${index}`, ASSETS)),
      ),
      fee: cycle ? fixed(cycle) : withoutCycle,
      entitlements: entitlements(lasting, cycle !== undefined),
    })
    .map(
      ({ usage, fee, entitlements: given }): ContentSketch => ({
        prices: [...usage.filter((each) => each !== undefined), ...fee],
        entitlements: given,
      }),
    );

const cycle = fc.constantFrom<Cycle[]>(
  undefined,
  { interval: 'month', every: 1 },
  { interval: 'week', every: 1 },
  { interval: 'month', every: 3 },
  { interval: 'year', every: 1 },
  { interval: 'day', every: 10 },
);

/** The versions of a product. They share the lifecycle of each entitlement, and mostly the interval of their fee. */
export const productArbitrary = (morePrices: number): fc.Arbitrary<ContentSketch[]> =>
  fc
    .record({
      cycles: fc.oneof(
        { weight: 3, arbitrary: cycle.map((same) => [same, same] as const) },
        { weight: 1, arbitrary: fc.tuple(cycle, cycle) },
      ),
      lasting: fc.tuple(lifecycle, lifecycle).map(([first, second]) => [first, second, first]),
    })
    .chain(({ cycles: [initial, others], lasting }) => {
      const content = (of: Cycle) => versionContent(of, lasting, morePrices);
      const later = fc.option(content(others), { nil: undefined, freq: 2 });
      return fc.tuple(content(initial), later, later);
    })
    .map((versions) => versions.filter((each) => each !== undefined));

/**
 * A product without a recurring fee, which can be held with any other. Its entitlements have names of those of the others,
 * and other lifecycles.
 */
export const addOnArbitrary = (morePrices: number): fc.Arbitrary<ContentSketch[]> =>
  fc
    .tuple(lifecycle, lifecycle)
    .chain(([first, second]) => versionContent(undefined, [first, second], morePrices))
    .map((version) => [version]);
