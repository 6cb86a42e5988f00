import { RuleViolation } from 'billing-emulator/internals';
import { asking, each, type Loose, type Mutant, showing } from '../../mutant.ts';
import { across, bugs, cents, remembering } from '../bug.ts';
import { keeping, refuse, through } from '../deep.ts';

/** Bugs in usage, tasks and wallets that show only where two sentences of the specification meet. */

const refused = remembering<string>();
const repeats = remembering<number>();

const total = (rows: readonly Loose[], name: string): number =>
  cents(rows.reduce((sum, row) => sum + Number(row[name]), 0));

/** A balance minus the remaining credit of some grants, to ten decimals. */
const lessOf = (available: number, promoted: readonly Loose[]): number =>
  Number(
    (available - promoted.reduce((sum, { remaining }) => sum + Number(remaining), 0)).toFixed(10),
  );

/** A task's stats with revenue and costs of these events instead. */
function statsOf(events: readonly Loose[], stats: Loose): Loose {
  const [gross_revenue, total_costs] = [total(events, 'revenue'), total(events, 'cost')];
  const net_revenue = cents(gross_revenue - total_costs);
  const margin = gross_revenue === 0 ? 0 : net_revenue / gross_revenue;
  return { ...stats, gross_revenue, total_costs, net_revenue, margin };
}

const isUpdatedWithin = ({ occurred_at }: Loose, { query }: Loose): boolean => {
  const { last_updated_from: from = '', last_updated_to: to = '9999' } = query;
  const day = occurred_at.slice(0, 10);
  return day >= from && day <= to;
};

/** The worth of a gift when it counts as paid. */
const paidWorth = ({ amount, asset }: Loose, { tables, owner, settings }: Loose): Loose => {
  const currency = settings.reporting_currency;
  const [period] = tables.assets.get(`${owner}\n${asset}`)?.schedules[currency] ?? [];
  const rate = asset === currency ? 1 : Number(period?.rate ?? 0);
  return { kind: 'paid', amount: String(cents(Number(amount) * rate)) };
};

export const pairedUsageBugs: readonly Mutant[] = [
  across('counts an event again for each time that it was sent', {
    listEvents(call, context, run) {
      const reply = run();
      const all = run({ ...call, query: { ...call.query, limit: 1_000_000, offset: 0 } });
      const again = all.body.items.map(({ id }: Loose) => repeats(context).get(id) ?? 0);
      const total_count = all.body.items.length + again.reduce((a: number, b: number) => a + b, 0);
      return { ...reply, body: { ...reply.body, total_count } };
    },
    submitEvents(call, context, run) {
      const stored = call.body.events.flatMap(
        ({ id }: Loose) => context.tables.events.get(`${context.owner}\n${id.toLowerCase()}`) ?? [],
      );
      const reply = run();
      for (const { event_id } of stored)
        repeats(context).set(event_id, (repeats(context).get(event_id) ?? 0) + 1);
      return reply;
    },
  }),
  ...bugs({
    listTasks: {
      'reckons the stats of a task from the days that are asked for': each(
        'items',
        ({ id, stats }, call, { tables }) => {
          const { last_updated_from, last_updated_to } = call.query;
          if (last_updated_from === undefined && last_updated_to === undefined) return {};
          const events = tables.events.list('task', id);
          const within = events.filter((event) => isUpdatedWithin(event, call));
          return within.length === events.length ? {} : { stats: statsOf(within, stats) };
        },
      ),
    },
    adjustWallet: {
      'takes the transaction_id of a refused adjustment for used': (call, context, run) => {
        const { transaction_id } = call.body;
        const id = `${call.path.customerId} ${transaction_id.toLowerCase()}`;
        const said = JSON.stringify(call.body);
        const before = refused(context).get(id);
        if (before !== undefined && before !== said) refuse('transaction_id');
        try {
          return run();
        } catch (error) {
          if (error instanceof RuleViolation) refused(context).set(id, said);
          throw error;
        }
      },
      'counts a gift that expires as revenue when it is used': keeping(
        'grants',
        (row, _, context) =>
          row.purpose === 'promotion' && row.expires_at !== null
            ? { ...row, worth: paidWorth(row, context) }
            : row,
      ),
    },
    chargeWallet: {
      'counts a charge in the stats of all time alone': through('totals', (table) => ({
        put: (row: Loose) => (row.day ? row : table.put(row)),
      })),
    },
    getWallet: {
      'leaves the credit of promotions out of what is available': each(
        'accounts',
        ({ id, available }, { path }, { tables }) => {
          const open: readonly Loose[] = tables.grants.list('open', `${path.customerId}\n${id}`);
          const promoted = open.filter(
            ({ purpose, source }) => purpose === 'promotion' && source === 'entitlement',
          );
          return promoted.length === 0 ? {} : { available: lessOf(available, promoted) };
        },
      ),
    },
    getWalletTransaction: {
      'answers that of another customer who had the id first': asking(
        ({ path }, { tables, owner }) => {
          const wanted = path.transactionId.toLowerCase();
          const all: Loose[] = [...tables.transactions.values()]
            .filter((row) => row.owner === owner && row.transaction_id.toLowerCase() === wanted)
            .sort((left, right) => left.seq - right.seq);
          const isKnown = all.some(({ customer_id }) => customer_id === path.customerId);
          if (isKnown) path.customerId = all[0].customer_id;
        },
      ),
    },
    listGrants: {
      'counts top-ups that wait for their payment': showing((body, { path }, { tables }) => {
        const awaited = tables.top_ups
          .list('customer', path.customerId)
          .filter(({ status, account_name, asset }) => {
            return status === 'initiated' && `${account_name}:${asset}` === path.accountId;
          });
        return { total_count: body.total_count + awaited.length };
      }),
    },
  }),
];
