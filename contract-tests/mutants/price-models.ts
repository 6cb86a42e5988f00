import { asking, forgetting, kindOfMutant, type Loose, type Mutant, mutant } from './mutant.ts';

/** Changes every price of a new product, and of a new version. */
const ofPrices = kindOfMutant((change: (price: Loose) => Loose) => {
  const advice = asking(({ body }) => {
    body.prices = body.prices?.map(change);
  });
  return { around: { createProduct: advice, createProductVersion: advice } };
});

/** Changes every list of rows, plain ones and those of a group. */
const ofRowLists: typeof ofPrices = (id, about, noticedBy, change) =>
  ofPrices(id, about, noticedBy, (price) => ({
    ...price,
    pricing: price.pricing.map((entry: Loose) => ({
      ...entry,
      values: change(entry.values).map((value: Loose) =>
        value.values ? { ...value, values: change(value.values) } : value,
      ),
    })),
  }));

const ofRows: typeof ofPrices = (id, about, noticedBy, change) =>
  ofRowLists(id, about, noticedBy, (list) => list.map(change));

/** Forgets the quantity so far before each event, where it counts what is named. */
const startingOver = kindOfMutant((bases: readonly string[]) => ({
  around: {
    submitEvents: (call, { tables }, run) => {
      for (const event of call.body.events) {
        for (const { id, basis } of [...tables.price_quantities.values()])
          if (bases.includes(basis)) tables.price_quantities.remove(id);
        run({ ...call, body: { ...call.body, events: [event] } });
      }
      return { status: 204 };
    },
  },
}));

/** What depends on the quantity so far, which asset is charged, and prices that must be refused. */
export const priceModelMutants: readonly Mutant[] = [
  ofPrices('bulk-as-tiered', 'A bulk price lays an event over its rows', ['EVT-39'], (price) =>
    price['pricing_model'] === 'bulk' ? { ...price, pricing_model: 'tiered' } : price,
  ),
  startingOver(
    'volume-tiers-start-over',
    'Each event begins in the first tier',
    ['EVT-37'],
    ['volume'],
  ),
  ofRows('tier-bound-exclusive', 'A tier ends one before its bound', ['EVT-37', 'EVT-39'], (row) =>
    row.up_to > 1 ? { ...row, up_to: row.up_to - 1 } : row,
  ),
  startingOver(
    'unit-tiers-start-over',
    'Events do not count towards tiers by unit',
    ['EVT-38'],
    ['unit'],
  ),
  ofPrices('package-tiers-by-volume', 'Tiers by package count volume', ['EVT-38'], (price) =>
    price.tiering?.basis === 'package' && price.usage_calculation.usage_type === 'volume'
      ? { ...price, tiering: { ...price.tiering, basis: 'volume' } }
      : price,
  ),
  startingOver(
    'package-per-event',
    'Each event pays a package of its own',
    ['EVT-40'],
    ['package_of_units', 'package_of_volume'],
  ),
  ofRows(
    'minimum-forgotten',
    'A fee has no minimum',
    ['EVT-41'],
    ({ min_amount: _, ...row }) => row,
  ),
  ofRows(
    'maximum-forgotten',
    'A fee has no maximum',
    ['EVT-41'],
    ({ max_amount: _, ...row }) => row,
  ),
  mutant('zero-pays-minimum', 'A volume of 0 pays the minimum', ['EVT-41'], {
    submitEvents: asking(({ body }) => {
      for (const { data } of body.events)
        for (const [field, value] of Object.entries(data ?? {}))
          if (value === 0) data[field] = 1e-9;
    }),
  }),
  mutant('customers-count-together', 'All customers share one count', ['EVT-42'], {
    submitEvents: (_call, { tables, owner }, run) => {
      const before = new Set(tables.price_quantities.values());
      const reply = run();
      const counted = [...tables.price_quantities.values()].filter((row) => !before.has(row));
      for (const { id: customer_id } of tables.customers.list('owner', owner))
        for (const row of counted)
          tables.price_quantities.put({
            ...row,
            id: row.id.replace(row.customer_id, customer_id),
            customer_id,
          });
      return reply;
    },
  }),
  mutant('version-starts-over', 'Another version counts from zero', ['EVT-43'], {
    updateSubscriptionProduct: (_call, { tables }, run) => {
      for (const { id } of [...tables.price_quantities.values()])
        tables.price_quantities.remove(id);
      return run();
    },
  }),
  ofRowLists('row-names-lost', 'A fee never has the name of its row', ['EVT-44'], (list) =>
    list.some(({ values }: Loose) => values) ? list : list.map(nameless),
  ),
  ofPrices('only-first-asset', 'A price is charged in its first asset', ['EVT-34'], (price) => ({
    ...price,
    pricing: price.pricing.slice(0, 1),
  })),
  ofPrices(
    'last-asset-when-uncovered',
    'Without any balance the last asset is charged',
    ['EVT-34'],
    (price) => ({ ...price, pricing: price.pricing.toReversed() }),
  ),
  mutant('simulation-forgets-customer', 'A simulation begins at zero', ['PRD-29'], {
    simulateUsage: forgetting('customer_id'),
  }),
  mutant('simulated-events-alone', 'Simulated events do not add up', ['PRD-29'], {
    simulateUsage: (call, _context, run) => {
      const replies = call.body.events.map((event: Loose) =>
        run({ ...call, body: { ...call.body, events: [event] } }),
      );
      const [first] = replies;
      return {
        ...first,
        body: { ...first.body, fees: replies.flatMap(({ body }: Loose) => body.fees) },
      };
    },
  }),
  ofPrices(
    'tiering-mended',
    'A missing tiering is guessed, one too many dropped',
    ['PRD-30'],
    ({ tiering, ...price }) =>
      (price.pricing_model ?? 'flat') === 'flat'
        ? price
        : { ...price, tiering: tiering ?? { basis: 'unit' } },
  ),
  ofRowLists('rows-sorted', 'Rows in any order are sorted by their bounds', ['PRD-30'], (list) =>
    list.toSorted((a: Loose, b: Loose) => (a.up_to ?? 1e12) - (b.up_to ?? 1e12)),
  ),
  ofRowLists('last-bound-dropped', 'A bound of the last row is dropped', ['PRD-30'], (list) =>
    list.map(({ up_to, ...row }: Loose, place: number) =>
      up_to === undefined || place === list.length - 1 ? row : { ...row, up_to },
    ),
  ),
  ofPrices('second-package-dropped', 'A package is that of the first row', ['PRD-30'], (price) => ({
    ...price,
    pricing: price.pricing.map((entry: Loose) =>
      price.pricing_model === 'package' ? { ...entry, values: entry.values.slice(0, 1) } : entry,
    ),
  })),
  ofRows('crossed-bounds-swapped', 'Bounds that cross are swapped', ['PRD-30'], (row) =>
    row.min_amount > row.max_amount
      ? { ...row, min_amount: row.max_amount, max_amount: row.min_amount }
      : row,
  ),
];

function nameless({ name: _, ...row }: Loose): Loose {
  return row;
}
