import { type Loose, type Mutant, showing } from '../mutant.ts';
import { bugs } from './bug.ts';
import { relisted } from './deep.ts';

const marginOf = (gross: number, net: number): number =>
  gross === 0 ? 0 : Number((net / gross).toPrecision(12));

const exact = (amount: number): number => Number(amount.toFixed(10));
const addsUp = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** Stats with `more` added to the gross revenue. */
const withMore = ({ total_costs, ...stats }: Loose, more: number): Loose => {
  if (more === 0) return { total_costs, ...stats };
  const gross_revenue = exact(stats.gross_revenue + more);
  const net_revenue = exact(gross_revenue - total_costs);
  const margin = marginOf(gross_revenue, net_revenue);
  return { ...stats, gross_revenue, total_costs, net_revenue, margin };
};

/** Stats of a vendor by the submission day of costs. */
const statsBySubmission = showing((_, { path, query }, { tables, owner, now }) => {
  const { period_from = `${now.slice(0, 7)}-01`, period_to = now.slice(0, 10) } = query;
  const sums = new Map<string, number>();
  for (const { created_at, costs } of tables.events.list('owner', owner)) {
    const day = created_at.slice(0, 10);
    if (day < period_from || day > period_to) continue;
    for (const { vendor_id, category = 'uncategorized', cost } of costs) {
      if (vendor_id !== path.vendorId || category !== (query.category ?? category)) continue;
      sums.set(category, (sums.get(category) ?? 0) + Number(cost));
    }
  }
  const categories = [...sums].sort().map(([category, cost]) => ({ category, cost: exact(cost) }));
  return { total_costs: exact(addsUp([...sums.values()])), categories };
});

/** Stats of customers and vendors, and tasks. */
export const reportBugs: readonly Mutant[] = bugs({
  getVendorStats: { 'dates costs by submission': statsBySubmission },
  getCustomerStats: {
    'counts credit that repays debt once more': showing((stats, { path }, { tables }) => {
      const grants = [...tables.grants.values()].filter(
        ({ customer_id, worth }) => customer_id === path.customerId && worth?.kind === 'paid',
      );
      const repaid = grants.map(
        ({ repaid, amount, worth }) => (Number(worth?.amount) * Number(repaid)) / Number(amount),
      );
      return withMore(stats, addsUp(repaid));
    }),
    'counts nothing of paid credit that expires': showing((stats, { path }, { tables }) => {
      const postings = tables.transactions
        .list('customer', path.customerId)
        .filter(({ source }) => source === 'expiry')
        .flatMap((row) => row.postings);
      return withMore(stats, -addsUp(postings.map(({ revenue = '0' }) => Number(revenue))));
    }),
  },
  listCustomerStats: {
    'orders by net revenue': relisted([], (items) =>
      items.toSorted((left, right) => right.stats.net_revenue - left.stats.net_revenue),
    ),
    'adds customers of connected accounts to the summary': (call, context, run) => {
      const reply = run();
      const accounts = [...context.tables.accounts.values()].filter(
        (each) => each.owner === context.owner,
      );
      const others = accounts.map(({ id }) => run(call, { ...context, owner: id }).body.summary);
      const total_costs = addsUp([reply.body.summary, ...others].map((each) => each.total_costs));
      const more = addsUp(others.map(({ gross_revenue }) => gross_revenue));
      const summary = withMore({ ...reply.body.summary, total_costs }, more);
      return { ...reply, body: { ...reply.body, summary } };
    },
  },
  getTask: {
    'finds no task whose subject has a colon': (call, _, run) =>
      call.path.taskId.split(':').length > 2
        ? run({ ...call, path: { taskId: `none:${call.path.taskId}` } })
        : run(),
  },
});
