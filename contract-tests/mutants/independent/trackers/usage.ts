import { key } from 'billing-emulator/internals';
import { type Advice, type Loose, type Mutant, onRefusal } from '../../mutant.ts';
import { remembering } from '../bug.ts';
import { relisted, through } from '../deep.ts';
import { repricing } from '../prices.ts';
import { against } from '../production/window.ts';

const claimed = remembering<true>();

const eventIds = ({ body }: Loose, { owner }: Loose): string[] =>
  body.events.map(({ id }: Loose) => key(owner, id.toLowerCase()));

/** Rejected batches claim the ids of their events, so that the events are skipped when they are sent again. */
const claimingFirst: Advice = (call, context, run) => {
  const ids = claimed(context);
  const isLost = (id: string) => ids.has(id) && !context.tables.events.get(id);
  const all = eventIds(call, context);
  const events = call.body.events.filter(
    (_: Loose, place: number) => !isLost(all[place] as string),
  );
  if (events.length === 0) return { status: 204 };
  return onRefusal(() => {
    for (const id of all) ids.set(id, true);
  })(call, context, () => run({ ...call, body: { ...call.body, events } }));
};

const plus = (left: string, right: number): string =>
  String(Number((Number(left) + right).toFixed(10)));

/** Adds the costs of an event to the stats of its day once for each of its fees. */
const costsPerFee: Advice = (call, context, run) => {
  const { tables } = context;
  const fresh = eventIds(call, context).filter((id) => !tables.events.get(id));
  const reply = run();
  for (const id of new Set(fresh)) {
    const event: Loose = tables.events.get(id);
    const copies = (event?.fees.length ?? 0) - 1;
    if (copies < 1) continue;
    const day: Loose = tables.totals.get(key(event.customer_id, event.occurred_at.slice(0, 10)));
    tables.totals.put({ ...day, cost: plus(day.cost, copies * Number(event.cost)) });
  }
  return reply;
};

/** Adds the costs of a repeated event to the stats of its vendors again. */
const costsOfRepeats: Advice = (call, context, run) => {
  const { tables } = context;
  const repeated = eventIds(call, context)
    .map((id): Loose => tables.events.get(id))
    .filter(Boolean);
  const reply = run();
  for (const { costs, occurred_at } of repeated)
    for (const { vendor_id, category, cost } of costs) {
      const day = key(vendor_id, occurred_at.slice(0, 10));
      const row: Loose = tables.vendor_days.get(category === undefined ? day : key(day, category));
      tables.vendor_days.put({ ...row, cost: plus(row.cost, Number(cost)) });
    }
  return reply;
};

const valuesOf = ({ pricing }: Loose): Loose[] => pricing.flatMap(({ values }: Loose) => values);
const rowsOf = (price: Loose): Loose[] =>
  valuesOf(price).flatMap((value) => value.values ?? [value]);

const quantityOf = ({ customer, context }: Loose, { name, tiering }: Loose): number =>
  context.tables.price_quantities
    .list('customer', customer.id)
    .filter((row: Loose) => row.price_name === name && row.basis === tiering.basis)
    .reduce((sum: number, row: Loose) => sum + Number(row.quantity), 0);

/** Events, their prices, their tasks and their costs. */
export const reportedUsageBugs: readonly Mutant[] = [
  against(
    'A-801: one invalid event rejects the batch, and no event is stored; A-802: a repeated event is ignored',
    'takes the events of a rejected batch for known when they are sent again',
    { submitEvents: claimingFirst },
  ),
  against(
    'A-1501: a quantity so far for each customer',
    'counts what all customers have used of a price together',
    {
      submitEvents: through('price_quantities', (table) => {
        const ofAll = (id: string) => id.replace(/^[^\n]*\n/, 'all\n');
        return {
          get: (id: string) => table.get(ofAll(id)),
          put: (row: Loose) => table.put({ ...row, id: ofAll(row.id) }),
        };
      }),
    },
  ),
  against(
    'A-1502: up_to is inclusive and counts what the basis counts',
    'begins the next tier with the next whole unit of volume',
    {
      submitEvents: repricing((price, priced) => {
        const { tiering, usage_calculation } = price;
        if (tiering?.basis !== 'volume' || (tiering.period ?? 'lifetime') !== 'lifetime') return;
        const volume = Number(priced.event.data?.[usage_calculation.volume_field] ?? 0);
        const reached = Number((quantityOf(priced, price) + volume).toFixed(10));
        for (const row of rowsOf(price)) {
          const bound = Number(row.up_to ?? Number.POSITIVE_INFINITY);
          if (reached > bound && reached < bound + 1) row.up_to = String(reached);
        }
      }),
    },
  ),
  against(
    'A-508, A-1504: a flat unit_and_volume price is the sum of both, also for a quantity of 0',
    'charges no unit for an event whose volume is 0',
    {
      submitEvents: repricing((price, { event }) => {
        const { usage_type, volume_field } = price.usage_calculation;
        const isFlat = (price.pricing_model ?? 'flat') === 'flat';
        if (!isFlat || usage_type !== 'unit_and_volume' || event.data?.[volume_field] !== 0) return;
        for (const row of rowsOf(price)) if (row.unit_price !== undefined) row.unit_price = '0';
      }),
    },
  ),
  against(
    'A-1502: up_to counts what the basis counts; a package_size divides pro rata',
    'compares the bounds of tiers with packages where the rate is for a package',
    {
      submitEvents: repricing((price) => {
        if (price.tiering?.basis !== 'volume') return;
        for (const row of rowsOf(price))
          if (row.up_to !== undefined && row.package_size > 1)
            row.up_to = String(Number(row.up_to) * row.package_size);
      }),
    },
  ),
  against(
    'A-507: a dimension may be text, a number or a boolean, compared as text',
    'never matches a dimension whose value is a number with decimals',
    {
      submitEvents: repricing((price) => {
        for (const { dimensions = {} } of valuesOf(price))
          for (const [field, text] of Object.entries(dimensions))
            if (/^-?\d+\.\d+$/.test(String(text))) dimensions[field] = `not ${text}`;
      }),
    },
  ),
  against(
    'Profitability stats: total_costs; A-903: GET /customers/stats counts events',
    'adds the costs of an event to the customers of a period once for each of its fees',
    { submitEvents: costsPerFee },
  ),
  against(
    'A-802: a repeated id for the same customer is accepted and ignored',
    'counts the costs of a repeated event again in the stats of the vendor',
    { submitEvents: costsOfRepeats },
  ),
  against(
    'Task: sort fields, default last_updated_at, always descending; A-1001: the occurred_at of the latest event',
    'sorts tasks by the submission of their latest event',
    {
      listTasks: (call, context, run) =>
        call.query.sort === 'created_at'
          ? run()
          : relisted([], (items, _, { tables }) => {
              const latest = ({ id }: Loose) =>
                Math.max(...tables.events.list('task', id).map(({ seq }) => seq));
              return items.toSorted((left, right) => latest(right) - latest(left));
            })(call, context, run),
    },
  ),
  against(
    'A-104: every record belongs to the platform or to one connected account',
    'lists the tasks of connected accounts too where no account is named',
    {
      listTasks(call, context, run) {
        const { tables, owner } = context;
        const { limit = 100, offset = 0, sort = 'last_updated_at' } = call.query;
        const accounts = [...tables.accounts.values()]
          .filter((each) => each.owner === owner)
          .map(({ id }) => id);
        if (accounts.length === 0) return run();
        const whole = { ...call, query: { ...call.query, limit: 1_000_000, offset: 0 } };
        const reply = run(whole);
        const others = accounts.flatMap((id) => run(whole, { ...context, owner: id }).body.items);
        const items = [...reply.body.items, ...others].sort((left, right) =>
          left[sort] < right[sort] ? 1 : -1,
        );
        const page = { items: items.slice(offset, offset + limit), limit, offset };
        return { ...reply, body: { ...page, total_count: items.length } };
      },
    },
  ),
];
