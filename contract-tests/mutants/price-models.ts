import { asking, forgetting, type Loose, type Mutant, mutant } from './mutant.ts';

/** Changes every price of a new product, and of a new version. */
function prices(change: (price: Loose) => Loose): Mutant['around'] {
  const advice = asking(({ body }) => {
    body.prices = body.prices?.map(change);
  });
  return { createProduct: advice, createProductVersion: advice };
}

/** Changes every list of rows, plain ones and those of a group. */
const rowLists = (change: (rows: Loose[]) => Loose[]) =>
  prices((price) => ({
    ...price,
    pricing: price.pricing.map((entry: Loose) => ({
      ...entry,
      values: change(entry.values).map((value) =>
        value.values ? { ...value, values: change(value.values) } : value,
      ),
    })),
  }));

const rows = (change: (row: Loose) => Loose) => rowLists((list) => list.map(change));

/** Forgets the quantity so far before each event, where it counts what is named. */
const startingOver = (...bases: readonly string[]): Mutant['around'] => ({
  submitEvents: (call, { tables }, run) => {
    for (const event of call.body.events) {
      for (const { id, basis } of [...tables.price_quantities.values()])
        if (bases.includes(basis)) tables.price_quantities.remove(id);
      run({ ...call, body: { ...call.body, events: [event] } });
    }
    return { status: 204 };
  },
});

/** What depends on the quantity so far, which asset is charged, and prices that must be refused. */
export const priceModelMutants: readonly Mutant[] = [
  mutant(
    'bulk-as-tiered',
    'A bulk price lays an event over its rows',
    ['EVT-39'],
    prices((price) =>
      price['pricing_model'] === 'bulk' ? { ...price, pricing_model: 'tiered' } : price,
    ),
  ),
  mutant(
    'volume-tiers-start-over',
    'Each event begins in the first tier',
    ['EVT-37'],
    startingOver('volume'),
  ),
  mutant(
    'tier-bound-exclusive',
    'A tier ends one before its bound',
    ['EVT-37', 'EVT-39'],
    rows((row) => (row.up_to > 1 ? { ...row, up_to: row.up_to - 1 } : row)),
  ),
  mutant(
    'unit-tiers-start-over',
    'Events do not count towards tiers by unit',
    ['EVT-38'],
    startingOver('unit'),
  ),
  mutant(
    'package-tiers-by-volume',
    'Tiers by package count volume',
    ['EVT-38'],
    prices((price) =>
      price.tiering?.basis === 'package' && price.usage_calculation.usage_type === 'volume'
        ? { ...price, tiering: { ...price.tiering, basis: 'volume' } }
        : price,
    ),
  ),
  mutant(
    'package-per-event',
    'Each event pays a package of its own',
    ['EVT-40'],
    startingOver('package_of_units', 'package_of_volume'),
  ),
  mutant(
    'minimum-forgotten',
    'A fee has no minimum',
    ['EVT-41'],
    rows(({ min_amount: _, ...row }) => row),
  ),
  mutant(
    'maximum-forgotten',
    'A fee has no maximum',
    ['EVT-41'],
    rows(({ max_amount: _, ...row }) => row),
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
  mutant(
    'row-names-lost',
    'A fee never has the name of its row',
    ['EVT-44'],
    rowLists((list) => (list.some(({ values }) => values) ? list : list.map(nameless))),
  ),
  mutant(
    'only-first-asset',
    'A price is charged in its first asset',
    ['EVT-34'],
    prices((price) => ({ ...price, pricing: price.pricing.slice(0, 1) })),
  ),
  mutant(
    'last-asset-when-uncovered',
    'Without any balance the last asset is charged',
    ['EVT-34'],
    prices((price) => ({ ...price, pricing: price.pricing.toReversed() })),
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
  mutant(
    'tiering-mended',
    'A missing tiering is guessed, one too many dropped',
    ['PRD-30'],
    prices(({ tiering, ...price }) =>
      (price.pricing_model ?? 'flat') === 'flat'
        ? price
        : { ...price, tiering: tiering ?? { basis: 'unit' } },
    ),
  ),
  mutant(
    'rows-sorted',
    'Rows in any order are sorted by their bounds',
    ['PRD-30'],
    rowLists((list) => list.toSorted((a, b) => (a.up_to ?? 1e12) - (b.up_to ?? 1e12))),
  ),
  mutant(
    'last-bound-dropped',
    'A bound of the last row is dropped',
    ['PRD-30'],
    rowLists((list) =>
      list.map(({ up_to, ...row }, place) =>
        up_to === undefined || place === list.length - 1 ? row : { ...row, up_to },
      ),
    ),
  ),
  mutant(
    'second-package-dropped',
    'A package is that of the first row',
    ['PRD-30'],
    prices((price) => ({
      ...price,
      pricing: price.pricing.map((entry: Loose) =>
        price.pricing_model === 'package' ? { ...entry, values: entry.values.slice(0, 1) } : entry,
      ),
    })),
  ),
  mutant(
    'crossed-bounds-swapped',
    'Bounds that cross are swapped',
    ['PRD-30'],
    rows((row) =>
      row.min_amount > row.max_amount
        ? { ...row, min_amount: row.max_amount, max_amount: row.min_amount }
        : row,
    ),
  ),
];

function nameless({ name: _, ...row }: Loose): Loose {
  return row;
}
