import {
  type Advice,
  after,
  asking,
  each,
  type Loose,
  type Mutant,
  mutant,
  showing,
} from '../mutant.ts';
import { bugs, remembering } from './bug.ts';
import { keeping, through } from './deep.ts';

/** Bugs of lists, stats and logs in combination with accounts, filters and concurrent changes. */

/** The length of the log when a cursor was returned, by world. */
const lengths = remembering<number>();

/** The customer's external id at the submission of each event, by world. */
const names = remembering<string | null>();

/** The id of a destination, with `dst_` for either prefix. */
const destination = (id: string): string => `dst_${id.slice(4)}`;

/** A vendor's share of a task in the currency of its costs, when all are in one foreign currency. */
function asGiven(share: Loose, events: readonly Loose[]): Loose {
  const costs = events
    .flatMap((event) => event.costs ?? [])
    .filter(({ vendor_id }: Loose) => vendor_id === share.vendor.id);
  const [first] = costs;
  const isForeign = first && first.currency !== share.currency;
  if (!isForeign || costs.some(({ currency }: Loose) => currency !== first.currency)) return share;
  const total_costs = costs.reduce((sum: number, { amount }: Loose) => sum + Number(amount), 0);
  return { ...share, total_costs: Number(total_costs.toFixed(10)), currency: first.currency };
}

/** Returns one field with the value it would have without a query parameter. */
const showingAsWithout =
  (name: string, field: string): Advice =>
  (call, _, run) => {
    const reply = run();
    if (!reply.body || call.query[name] === undefined) return reply;
    const { body } = run({ ...call, query: { ...call.query, [name]: undefined } });
    return { ...reply, body: { ...reply.body, [field]: body[field] } };
  };

const countsWithoutFees = showingAsWithout('has_fees', 'total_count');

export const listInteractions: readonly Mutant[] = [
  ...bugs({
    submitEvents: {
      'finds the vendors of the platform for its connected accounts': through(
        'vendors',
        (table, _, { world }) => ({
          first: (index: string, key: string) =>
            table.first(index, key) ??
            table.first(index, `${world.accountId}\n${key.slice(key.indexOf('\n') + 1)}`),
        }),
      ),
    },
    listEvents: {
      'counts those without fees too beside a customer': (call, context, run) =>
        call.query.customer_id === undefined ? run() : countsWithoutFees(call, context, run),
    },
    listTasks: {
      'filters by creation what is sorted by it alone': asking(({ query }) => {
        if (query.sort === 'created_at') return;
        for (const bound of ['from', 'to']) {
          const asked = query[`created_${bound}`];
          if (asked === undefined) continue;
          query[`last_updated_${bound}`] ??= asked;
          delete query[`created_${bound}`];
        }
      }),
    },
    getTask: {
      'shows vendors in the currency of their costs': showing(({ events, vendors }) => ({
        vendors: vendors.map((share: Loose) => asGiven(share, events)),
      })),
    },
    getVendorStats: {
      'totals all categories where one is asked for': showingAsWithout('category', 'total_costs'),
    },
    listWebhookEvents: {
      'shows the platform the destinations of its accounts': each(
        'items',
        ({ id, matched_destination_ids }, _, { tables, owner }) => {
          const { account_id } = tables.webhook_events.get(`${owner}\n${id}`) ?? {};
          const theirs = account_id && tables.webhook_events.get(`${account_id}\n${id}`);
          const ids = theirs ? theirs.matched_destination_ids : [];
          return { matched_destination_ids: [...matched_destination_ids, ...ids] };
        },
      ),
      'forgets what was sent to a destination that is removed': (call, { tables }, run) => {
        const { destination_id: ids, limit = 100 } = call.query;
        if (!ids || ids.some((id: string) => tables.webhooks.get(destination(id)))) return run();
        return { status: 200, body: { items: [], pagination: { limit, next: null, prev: null } } };
      },
      'shows some again where events come between two pages': (call, context, run) => {
        const { next, prev: _prev, ...query } = call.query;
        const { length } = context.tables.webhook_events.list('owner', context.owner);
        const known = lengths(context);
        const reply = run();
        const shift = next === undefined ? 0 : length - (known.get(next) ?? length);
        if (reply.body?.pagination.next) known.set(reply.body.pagination.next, length);
        if (!reply.body || shift === 0) return reply;
        const all: Loose[] = run({ ...call, query: { ...query, limit: 1_000_000 } }).body.items;
        const place = all.findIndex(({ id }) => id === Buffer.from(next, 'base64url').toString());
        const start = Math.max(0, place + 1 - shift);
        const items = all.slice(start, start + (query.limit ?? 100));
        return { ...reply, body: { ...reply.body, items } };
      },
    },
    testConnectedWebhooks: {
      'tells of a test without the account': keeping('webhook_events', (row) => ({
        ...row,
        body: row.body.replace(/,"account_id":"[^"]*"/, ''),
      })),
    },
  }),
  mutant('listEvents: former external ids', 'Shows external ids as at submission', [], {
    submitEvents: after(({ body }, context) => {
      const { tables, owner } = context;
      const known = names(context);
      for (const { id } of body.events) {
        const place = `${owner}\n${id.toLowerCase()}`;
        const row = tables.events.get(place);
        const { external_id = null } = (row && tables.customers.get(row.customer_id)) ?? {};
        if (!known.has(place)) known.set(place, external_id);
      }
    }),
    listEvents: each('items', ({ id, external_id }, _, context) => {
      const former = names(context).get(`${context.owner}\n${id.toLowerCase()}`);
      return { external_id: former === undefined ? external_id : former };
    }),
  }),
];
