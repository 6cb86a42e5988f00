import fc from 'fast-check';
import type { GroupSketch, RowSketch, UsagePriceSketch } from '../history.ts';

const AMOUNTS = [0, 0.25, 1, 2, 0.0333333333, 3] as const;
const amount = fc.constantFrom(...AMOUNTS);
const SIZES = [1, 3, 10] as const;

type UsageType = UsagePriceSketch['usage_calculation']['usage_type'];
type Model = UsagePriceSketch['pricing_model'];
type Basis = 'unit' | 'volume' | 'package';

interface Shape {
  readonly usage: UsageType;
  readonly model: Model;
  readonly basis: Basis;
}

/** Every combination of usage type, pricing model and basis that the interface accepts. */
const shape: fc.Arbitrary<Shape> = fc
  .record({
    usage: fc.constantFrom<UsageType>('unit', 'volume', 'unit_and_volume'),
    model: fc.constantFrom<Model>('flat', 'flat', 'tiered', 'bulk', 'package'),
    basis: fc.constantFrom<Basis>('unit', 'volume', 'package'),
  })
  .filter(({ usage, model, basis }) =>
    model === 'package'
      ? usage !== 'unit_and_volume'
      : model === 'flat' || usage !== 'unit' || basis !== 'volume',
  );

function rowArbitrary({ usage, model, basis }: Shape, size: number): fc.Arbitrary<RowSketch> {
  const countsPackages = model === 'package' || (basis === 'package' && model !== 'flat');
  const bounds = fc.option(fc.constantFrom([1, 5], [0, 2], [0.5, 0.5]), { nil: undefined });
  return fc
    .record({
      unit_price: usage === 'volume' ? fc.constant(undefined) : amount,
      volume_rate: usage === 'unit' ? fc.constant(undefined) : amount,
      package_size: countsPackages
        ? fc.constant(size)
        : usage === 'unit'
          ? fc.constant(undefined)
          : fc.constantFrom(undefined, ...SIZES),
      name: fc.constantFrom(undefined, undefined, 'row'),
      bounds,
    })
    .map(({ bounds: pair, ...row }) =>
      defined({ ...row, ...(pair && { min_amount: pair[0], max_amount: pair[1] }) }),
    );
}

/** A record with each field drawn from its arbitrary. Fields drawn as undefined are left out. */
export const drawn = <T extends object>(
  parts: {
    [K in keyof T]: fc.Arbitrary<T[K]>;
  },
): fc.Arbitrary<Defined<T>> => fc.record(parts).map((given) => defined(given as T));

/** The object without its undefined fields. */
const defined = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The upper bounds of rows. The last row has none. */
const ENDS = [[], [2], [2, 5], [1, 10]] as const;

function groupArbitrary(given: Shape, dimensions: GroupSketch['dimensions']) {
  const hasRows = given.model === 'tiered' || given.model === 'bulk';
  return fc
    .record({
      ends: hasRows ? fc.constantFrom(...ENDS) : fc.constant([]),
      size: fc.constantFrom(...SIZES),
      name: fc.constantFrom(undefined, 'group'),
    })
    .chain(({ ends, size, name }) =>
      fc
        .array(rowArbitrary(given, size), {
          minLength: ends.length + 1,
          maxLength: ends.length + 1,
        })
        .map((rows): GroupSketch => {
          const values = rows.map((row, index) =>
            index < ends.length ? { ...row, up_to: ends[index] as number } : row,
          );
          return defined({ name, dimensions, values });
        }),
    );
}

const DIMENSIONS: readonly (readonly GroupSketch['dimensions'][])[] = [
  [{}],
  [{}],
  [{ m: 'a' }, { m: '*' }],
  [{ m: 'a' }, { m: 'a', n: '*' }, { m: '*', n: '1' }],
  [{ m: '*' }, {}, { n: '1' }],
];

/** The dimensions of the groups of each asset of a price, mostly the same. */
const dimensionsArbitrary = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...DIMENSIONS).map((same) => [same, same, same]) },
  {
    weight: 1,
    arbitrary: fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom(...DIMENSIONS))),
  },
);

/** An arbitrary usage price with this name, in one or more of the assets. */
export const usagePrice = (name: string, assets: readonly string[]) =>
  fc
    .record({
      shape,
      period: fc.constantFrom(undefined, 'lifetime', 'monthly', 'quarterly', 'yearly'),
      charged: fc.shuffledSubarray([...assets], { minLength: 1 }),
      dimensions: dimensionsArbitrary,
      event_type: fc.constantFrom('e', 'e', 'f'),
    })
    .chain(({ shape: given, period, charged, dimensions, event_type }) => {
      const entries = charged.map((asset, place) =>
        fc
          .tuple(...(dimensions[place] ?? []).map((each) => groupArbitrary(given, each)))
          .map((values) => ({ asset, values })),
      );
      return fc.tuple(...entries).map((pricing) => {
        const basis = given.model === 'package' || given.model === 'flat' ? undefined : given.basis;
        const tiering = given.model === 'flat' ? undefined : defined({ basis, period });
        const hasTiering = tiering && Object.keys(tiering).length > 0;
        return defined({
          name,
          type: 'usage_based' as const,
          billing_model: { type: 'real_time' as const },
          pricing_model: given.model,
          tiering: hasTiering ? tiering : undefined,
          usage_calculation: defined({
            event_type,
            usage_type: given.usage,
            volume_field: given.usage === 'unit' ? undefined : 'v',
            billable_dimensions: ['m', 'n'],
          }),
          pricing,
        });
      });
    });
