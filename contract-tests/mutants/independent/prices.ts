import type { Context } from 'billing-emulator/internals';
import type { Advice, Loose, Mutant } from '../mutant.ts';
import { across, bugs } from './bug.ts';
import { overlay, reading } from './deep.ts';

/** An event to price, with its customer. */
interface Priced {
  readonly event: Loose;
  readonly customer: Loose;
  readonly context: Context;
}

const customerOf = ({ tables, owner }: Context, { customer_id, customer_external_id }: Loose) =>
  tables.customers.get(customer_id ?? '') ??
  tables.customers.first('external', `${owner}\n${customer_external_id}`);

/** Submits each event of a batch on its own. If one is rejected, submits the whole batch to get its error. */
const oneByOne =
  (contextOf: (priced: Priced) => Context): Advice =>
  (call, context, run) => {
    const customer = customerOf(context, call.body);
    if (!customer) return run();
    for (const event of call.body.events) {
      const priced = { event, customer, context };
      try {
        run({ ...call, body: { ...call.body, events: [event] } }, contextOf(priced));
      } catch {
        return run();
      }
    }
    return { status: 204 };
  };

/** A context in which subscribed versions have other prices. Copies the holdings, to avoid cached prices. */
const withPrices = (context: Context, change: (version: Loose) => readonly Loose[]): Context => {
  const renewed = overlay(context, 'subscriptions', (table) => ({
    list: (...asked: string[]) =>
      table.list(...asked).map((row: Loose) => ({
        ...row,
        history: row.history.map((held: Loose) => ({ ...held })),
      })),
  }));
  return overlay(renewed, 'versions', (table) => ({
    get(id: string) {
      const version = structuredClone(table.get(id));
      return version && { ...version, prices: change(version) };
    },
  }));
};

/** Changes the usage prices for each event. */
export const repricing = (change: (price: Loose, priced: Priced) => void): Advice =>
  oneByOne((priced) =>
    withPrices(priced.context, ({ prices }) => {
      for (const price of prices) if (price.usage_calculation) change(price, priced);
      return prices;
    }),
  );

const valuesOf = ({ pricing }: Loose): Loose[] => pricing.flatMap(({ values }: Loose) => values);
const rowsOf = (price: Loose): Loose[] =>
  valuesOf(price).flatMap((value) => value.values ?? [value]);

/** All prices of the subscriptions of a customer. */
const pricesOf = ({ customer, context: { tables } }: Priced): Loose[] =>
  tables.subscriptions
    .list('customer', customer.id)
    .flatMap(({ products }) => products)
    .flatMap(({ id, version }) => tables.versions.get(`${id}\n${version}`)?.prices ?? [])
    .filter(({ usage_calculation }) => usage_calculation);

/** A context in which counted quantities are stored under other ids. */
const withCounts = (context: Context, idOf: (id: string) => string): Context =>
  overlay(context, 'price_quantities', (table) => ({
    get: (id: string) => table.get(idOf(id)),
    put: (row: Loose) => table.put({ ...row, id: idOf(row.id) }),
  }));

const counting = (idOf: (id: string, priced: Priced) => string): Advice =>
  oneByOne((priced) => withCounts(priced.context, (id) => idOf(id, priced)));

/** Counts quantities of all assets together. Also for simulation, whose fees checks compare with real ones. */
const countingAllAssets: Advice = (call, context, run) =>
  run(
    call,
    withCounts(context, (id) => {
      const [customer, product, price, _asset, ...others] = id.split('\n');
      return [customer, product, price, ...others].join('\n');
    }),
  );

const versionOf = ({ customer, context: { tables } }: Priced, productId: string): unknown =>
  tables.subscriptions
    .list('customer', customer.id)
    .flatMap(({ products }) => products)
    .find(({ id }) => id === productId)?.version;

/** Bugs in the pricing of usage. */
export const priceBugs: readonly Mutant[] = [
  ...bugs({
    submitEvents: {
      'fits a star to no field that is absent': repricing((price, { event }) => {
        for (const entry of price.pricing)
          entry.values = entry.values.filter(({ dimensions = {} }: Loose) =>
            Object.entries(dimensions).every(
              ([name, wanted]) => wanted !== '*' || event.data?.[name] !== undefined,
            ),
          );
        price.pricing = price.pricing.filter(({ values }: Loose) => values.length > 0);
      }),
      'begins a new count with each version': counting(
        (id, priced) => `${id}\n${versionOf(priced, id.split('\n')[1] as string)}`,
      ),
      'counts by itself each text that a star fits': counting((id, { event }) =>
        id.includes('*') ? `${id}\n${JSON.stringify(event.data)}` : id,
      ),
      'counts late usage into the running month': counting((id, { context }) => {
        const parts = id.split('\n');
        if (parts.at(-2) !== 'monthly') return id;
        return [...parts.slice(0, -1), `${context.now.slice(0, 7)}-01`].join('\n');
      }),
      'takes up_to of bulk prices for exclusive': repricing((price) => {
        if (price.pricing_model !== 'bulk') return;
        for (const row of rowsOf(price))
          if (row.up_to !== undefined) row.up_to = `${Number(row.up_to) - 0.0000001}`;
      }),
      'begins a package anew in each batch': (call, context, run) => {
        const sizes = new Map<string, number>();
        const customer = customerOf(context, call.body);
        if (!customer) return run();
        for (const price of pricesOf({ event: undefined, customer, context }))
          if (price.pricing_model === 'package')
            sizes.set(price.name, rowsOf(price)[0]?.package_size ?? 1);
        const seen = new Set<string>();
        const quantities = (table: Loose): Loose => ({
          get(id: string) {
            const row = table.get(id);
            const size = row && sizes.get(row.price_name);
            if (!size || seen.has(id)) return row;
            return { ...row, quantity: `${Math.ceil(Number(row.quantity) / size) * size}` };
          },
          put(row: Loose) {
            seen.add(row.id);
            return table.put(row);
          },
        });
        return run(call, overlay(context, 'price_quantities', quantities));
      },
      'bills the first asset of which there is anything': repricing(
        (price, { customer, context }) => {
          if (price.pricing.length < 2) return;
          const has = ({ asset }: Loose) => {
            const id = `${customer.id}\ndefault:${asset}`;
            return Number(context.tables.wallet_accounts.get(id)?.available ?? 0) > 0;
          };
          price.pricing = [price.pricing.find(has) ?? price.pricing[0]];
        },
      ),
      'rates by the price list of the subscription that started first': (call, context, run) => {
        const firstLast = reading('subscriptions', 'started', (rows) =>
          rows.map((row) => {
            const same = rows.filter((other) => other.products[0].id === row.products[0].id);
            return same[same.length - 1 - same.indexOf(row)] as Loose;
          }),
        );
        return firstLast(call, context, (asked, within = context) =>
          run(
            asked,
            withPrices(within, ({ prices }) => prices),
          ),
        );
      },
      'bills nothing by a version that is archived': (call, context, run) =>
        run(
          call,
          withPrices(context, ({ status, prices }) => (status === 'archived' ? [] : prices)),
        ),
      'bills no usage of the second before the first start': reading(
        'subscriptions',
        'started',
        (rows) => rows.map((row) => ({ ...row, started_at: undefined })),
      ),
    },
  }),
  across('counts together what is paid in different assets', {
    submitEvents: countingAllAssets,
    simulateUsage: countingAllAssets,
  }),
];
