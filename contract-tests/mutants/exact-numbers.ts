import { key } from 'billing-emulator/internals';
import { drawing, reading } from './independent/deep.ts';
import { type Advice, asking, declared, each, type Loose, type Mutant, showing } from './mutant.ts';

const rounded = (value: number, places: number): number => Number(value.toFixed(places));

/** Keeps fewer decimals of a field of the request. */
const cutting = (name: string, places: number): Advice =>
  asking(({ body }) => {
    if (typeof body[name] === 'number') body[name] = rounded(body[name], places);
  });

const negative = (data: Loose): number | undefined =>
  (Object.values(data ?? {}) as Loose[]).find((value) => typeof value === 'number' && value < 0);

const placesOf = ({ tables, owner }: Loose, asset: string): number =>
  tables.assets.get(key(owner, asset))?.precision ?? 10;

/** Changes every pricing value of a new product. */
const pricing = (change: (value: Loose) => unknown): Advice =>
  asking(({ body }) => {
    for (const price of body.prices ?? [])
      for (const { values } of price.pricing) values.forEach(change);
  });

function byText(left: unknown, right: unknown): number {
  const [first, next] = [String(left), String(right)];
  return first === next ? 0 : first < next ? -1 : 1;
}

/** Draws credit in the order of the priorities as text. */
const drawnByText = drawing(({ priority: left = 'none' }, { priority: right = 'none' }) =>
  left === right ? 0 : byText(left, right),
);

/** A response whose list has no more than so many items. */
const capped = (list: string, most = 100): Advice =>
  showing((body) => ({ [list]: body[list].slice(0, most) }));

/** A fee over several tiers as the sum of their rounded parts; the quantity so far was 0. */
const roundedTiers = each('fees', (fee, _, context) => {
  const { price_id, currency, input_volume, amount } = fee;
  const versions = [...context.tables.versions.values()];
  const price = versions.flatMap(({ prices }) => prices).find(({ id }) => id === price_id);
  const { values = [] } = price?.pricing.find(({ asset }) => asset === currency) ?? {};
  if (price?.pricing_model !== 'tiered' || fee.volume_rate != null) return {};
  const places = placesOf(context, currency);
  const parts = values.map(({ up_to, volume_rate, package_size = 1 }, place) => {
    const [low, high] = [Number(values[place - 1]?.up_to ?? 0), Number(up_to ?? input_volume)];
    const part = Math.max(0, Math.min(high, input_volume) - low);
    return rounded((part * Number(volume_rate ?? 0)) / package_size, places);
  });
  const sum = parts.reduce((total, part) => total + part, 0);
  return { amount: sum > 0 ? rounded(sum, places) : amount };
});

/** Mutants that lose a digit, compare numbers as text or cut what is longer than 100. */
export const exactNumberMutants: readonly Mutant[] = [
  declared('A simulation reads numeric texts as volumes', ['EVT-88'], {
    simulateUsage: asking(({ body }) => {
      for (const { data } of body.events)
        for (const [name, value] of Object.entries(data ?? {}))
          if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) data[name] = Number(value);
    }),
  }),
  declared('A volume of 0 makes no simulated fee', ['EVT-88'], {
    simulateUsage: showing(({ fees }) => ({
      fees: fees.filter(({ input_volume }: Loose) => input_volume !== 0),
    })),
  }),
  declared('A negative volume lowers the quantity so far', ['EVT-88'], {
    submitEvents(call, context, run) {
      const { tables, owner }: Loose = context;
      const { events, ...body } = call.body;
      if (!events.some(({ data }: Loose) => negative(data))) return run();
      const replies = events.map((event: Loose) => {
        const reply = run({ ...call, body: { ...body, events: [event] } });
        const { customer_id } = tables.events.get(key(owner, event.id.toLowerCase()));
        for (const row of [...tables.price_quantities.values()])
          if (row.customer_id === customer_id && row.basis === 'volume')
            tables.price_quantities.put({
              ...row,
              quantity: String(Number(row.quantity) + (negative(event.data) ?? 0)),
            });
        return reply;
      });
      return replies.at(-1);
    },
  }),
  declared('Starting rates have nine decimals', ['X-95'], {
    createAsset: asking(({ body }) => {
      for (const rate of body.rates ?? []) if (rate.rate) rate.rate = rounded(rate.rate, 9);
    }),
  }),
  declared('The volume of a charge has nine decimals', ['X-96'], {
    chargeWallet: cutting('input_volume', 9),
  }),
  declared('Quotes have fourteen digits', ['X-95'], {
    quoteAsset: showing(({ source_amount }) => ({
      source_amount: Number(Number(source_amount).toPrecision(14)),
    })),
  }),
  declared('The largest package_size is one smaller', ['PRD-63'], {
    createProduct: pricing((value) => {
      if (value.package_size >= 2_147_483_647) value.package_size -= 1;
    }),
  }),
  declared('The revenue basis of an entitlement has nine decimals', ['PRD-63'], {
    createProduct: asking(({ body }) => {
      for (const { accounting } of body.entitlements ?? [])
        if (accounting?.revenue_basis)
          accounting.revenue_basis = rounded(accounting.revenue_basis, 9);
    }),
  }),
  declared('Numbers of an event have fifteen digits', ['EVT-105'], {
    submitEvents: asking(({ body }) => {
      for (const { data } of body.events)
        for (const [name, value] of Object.entries(data ?? {}))
          if (typeof value === 'number') data[name] = Number(value.toPrecision(15));
    }),
  }),
  declared('The unit price of a cost has nine decimals', ['EVT-90'], {
    submitEvents: asking(({ body }) => {
      for (const cost of body.events.flatMap((event: Loose) => event.costs ?? []))
        if (cost.unit_price) cost.unit_price = rounded(cost.unit_price, 9);
    }),
  }),
  declared('A charge rounds its quotient', ['WAL-65'], {
    chargeWallet: asking(({ body }) => {
      if (!body.package_size || !body.input_volume) return;
      body.input_volume = rounded(body.input_volume / body.package_size, 4);
      body.package_size = 1;
    }),
  }),
  declared('A charge rounds each part', ['WAL-65'], {
    chargeWallet: asking(({ body }, context) => {
      const { unit_price, input_units, input_volume, volume_rate, package_size, ...rest } = body;
      if (!unit_price || !input_volume || !volume_rate) return;
      const places = placesOf(context, body.asset);
      const units = rounded((input_units ?? 1) * unit_price, places);
      const volume = rounded((input_volume * volume_rate) / (package_size ?? 1), places);
      return { body: { ...rest, amount: rounded(units + volume, places) } };
    }),
  }),
  declared('A simulated fee rounds each part', ['EVT-91'], {
    simulateUsage: each('fees', (fee, _, context) => {
      const { unit_price, input_volume, volume_rate, package_size, currency } = fee;
      if (!unit_price || !input_volume || !volume_rate) return;
      const places = placesOf(context, currency);
      const volume = rounded((input_volume * volume_rate) / (package_size ?? 1), places);
      return { amount: rounded(rounded(Number(unit_price), places) + volume, places) };
    }),
  }),
  declared('A fee of two tiers rounds each', ['EVT-91'], { getEvent: roundedTiers }),
  declared('A simulated fee of two tiers rounds each', ['EVT-91'], { simulateUsage: roundedTiers }),
  declared('Numbers in asset codes are compared as numbers', ['AST-43'], {
    listAssets: reading('assets', 'listed', (rows) =>
      rows.toSorted((left, right) =>
        left['code'].localeCompare(right['code'], 'en', { numeric: true }),
      ),
    ),
  }),
  declared('Versions of a product stand by their text', ['PRD-64'], {
    getProduct: showing(({ versions }) => ({
      versions: versions.toSorted((left: Loose, right: Loose) =>
        byText(right.version, left.version),
      ),
    })),
  }),
  declared('The default after archiving is the highest by its text', ['PRD-64'], {
    archiveProductVersion(call, { tables }, run) {
      const { productId } = call.path;
      const former = tables.products.get(productId)?.default_version;
      const reply = run();
      const product: Loose = tables.products.get(productId);
      const numbers = tables.versions
        .list('product', productId)
        .filter(({ status }) => status === 'published')
        .map(({ version }) => version);
      if (product && product.default_version !== former && numbers.length > 0)
        tables.products.put({ ...product, default_version: numbers.sort(byText).at(-1) });
      return reply;
    },
  }),
  declared('Credit is drawn by its priority as text', ['WAL-67'], {
    chargeWallet: drawnByText,
    submitEvents: drawnByText,
    adjustWallet: drawnByText,
  }),
  declared('Customer stats stand by the text of their revenue', ['CUS-66'], {
    listCustomerStats: showing(({ items }) => ({
      items: items.toSorted((left: Loose, right: Loose) =>
        byText(right.stats.gross_revenue, left.stats.gross_revenue),
      ),
    })),
  }),
  declared('A task shows 100 events', ['EVT-93'], { getTask: capped('events') }),
  declared('An event shows 100 costs', ['EVT-93'], { getEvent: capped('costs') }),
  declared('Vendor stats have 100 categories', ['EVT-93'], {
    getVendorStats: capped('categories'),
  }),
  declared('A simulation returns 100 fees', ['EVT-93'], { simulateUsage: capped('fees') }),
  declared('A customer has 100 external accounts', ['CUS-67'], {
    getCustomer: capped('external_accounts'),
  }),
  declared('A price has 100 values', ['PRD-65'], {
    getProductVersion: each('prices', ({ pricing: entries }) => ({
      pricing: entries.map(({ values, ...entry }: Loose) => ({
        ...entry,
        values: values.slice(0, 100),
      })),
    })),
  }),
  declared('A destination shows 100 topics', ['WHK-81'], { getWebhook: capped('topics') }),
];
