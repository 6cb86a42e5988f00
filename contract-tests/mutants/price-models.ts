import { asking, declared, forgetting, kindOfMutant, type Loose, type Mutant } from './mutant.ts';

/** Changes every price of new products and versions. */
const ofPrices = kindOfMutant((change: (price: Loose) => Loose) => {
  const advice = asking(({ body }) => {
    body.prices = body.prices?.map(change);
  });
  return { around: { createProduct: advice, createProductVersion: advice } };
});

/** Changes every list of rows, with and without groups. */
const ofRowLists: typeof ofPrices = (about, noticedBy, change) =>
  ofPrices(about, noticedBy, (price) => ({
    ...price,
    pricing: price.pricing.map((entry: Loose) => ({
      ...entry,
      values: change(entry.values).map((value: Loose) =>
        value.values ? { ...value, values: change(value.values) } : value,
      ),
    })),
  }));

const ofRows: typeof ofPrices = (about, noticedBy, change) =>
  ofRowLists(about, noticedBy, (list) => list.map(change));

/** Deletes the counted quantities of these bases before each event. */
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

/** Mutants of price tiers, of the choice of the charged asset, and of the validation of prices. */
export const priceModelMutants: readonly Mutant[] = [
  ofPrices('A bulk price lays an event over its rows', ['EVT-39'], (price) =>
    price['pricing_model'] === 'bulk' ? { ...price, pricing_model: 'tiered' } : price,
  ),
  startingOver('Each event begins in the first tier', ['EVT-37'], ['volume']),
  ofRows('A tier ends one before its bound', ['EVT-37', 'EVT-39'], (row) =>
    row.up_to > 1 ? { ...row, up_to: row.up_to - 1 } : row,
  ),
  startingOver('Events do not count towards tiers by unit', ['EVT-38'], ['unit']),
  ofPrices('Tiers by package count volume', ['EVT-38'], (price) =>
    price.tiering?.basis === 'package' && price.usage_calculation.usage_type === 'volume'
      ? { ...price, tiering: { ...price.tiering, basis: 'volume' } }
      : price,
  ),
  startingOver(
    'Each event pays a package of its own',
    ['EVT-40'],
    ['package_of_units', 'package_of_volume'],
  ),
  ofRows('A fee has no minimum', ['EVT-40'], ({ min_amount: _, ...row }) => row),
  ofRows('A fee has no maximum', ['EVT-40'], ({ max_amount: _, ...row }) => row),
  declared('A volume of 0 pays the minimum', ['EVT-40'], {
    submitEvents: asking(({ body }) => {
      for (const { data } of body.events)
        for (const [field, value] of Object.entries(data ?? {}))
          if (value === 0) data[field] = 1e-9;
    }),
  }),
  declared('All customers share one count', ['EVT-42'], {
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
  declared('Another version counts from zero', ['EVT-43'], {
    updateSubscriptionProduct: (_call, { tables }, run) => {
      for (const { id } of [...tables.price_quantities.values()])
        tables.price_quantities.remove(id);
      return run();
    },
  }),
  ofRowLists('A fee never has the name of its row', ['EVT-44'], (list) =>
    list.some(({ values }: Loose) => values) ? list : list.map(nameless),
  ),
  ofPrices('A price is charged in its first asset', ['EVT-34'], (price) => ({
    ...price,
    pricing: price.pricing.slice(0, 1),
  })),
  ofPrices('Without any balance the last asset is charged', ['EVT-34'], (price) => ({
    ...price,
    pricing: price.pricing.toReversed(),
  })),
  declared('A simulation begins at zero', ['PRD-29'], { simulateUsage: forgetting('customer_id') }),
  declared('Simulated events do not add up', ['PRD-29'], {
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
    'A missing tiering is guessed, one too many dropped',
    ['PRD-30'],
    ({ tiering, ...price }) =>
      (price.pricing_model ?? 'flat') === 'flat'
        ? price
        : { ...price, tiering: tiering ?? { basis: 'unit' } },
  ),
  ofRowLists('Rows in any order are sorted by their bounds', ['PRD-30'], (list) =>
    list.toSorted((a: Loose, b: Loose) => (a.up_to ?? 1e12) - (b.up_to ?? 1e12)),
  ),
  ofRowLists('A bound of the last row is dropped', ['PRD-30'], (list) =>
    list.map(({ up_to, ...row }: Loose, place: number) =>
      up_to === undefined || place === list.length - 1 ? row : { ...row, up_to },
    ),
  ),
  ofPrices('A package is that of the first row', ['PRD-30'], (price) => ({
    ...price,
    pricing: price.pricing.map((entry: Loose) =>
      price.pricing_model === 'package' ? { ...entry, values: entry.values.slice(0, 1) } : entry,
    ),
  })),
  ofRows('Bounds that cross are swapped', ['PRD-30'], (row) =>
    row.min_amount > row.max_amount
      ? { ...row, min_amount: row.max_amount, max_amount: row.min_amount }
      : row,
  ),
];

const nameless = ({ name: _, ...row }: Loose): Loose => row;
