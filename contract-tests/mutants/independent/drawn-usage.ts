import { asking, type Loose, type Mutant, showing } from '../mutant.ts';
import { bugs, remembering } from './bug.ts';
import { through } from './deep.ts';
import { LENGTH_OF_DAY } from './due-bug.ts';

/** Bugs in usage, tasks and the webhook log: one for each randomly drawn sentence of the specification. */

/** Changes each event of a batch. */
const ofEvents = (change: (event: Loose) => void) =>
  asking(({ body }) => {
    for (const event of body.events) change(event);
  });

/** The ids of the first test events, by world, account and topic. */
const tests = remembering<string>();

/** A maximum age that accepts any usage. */
const UNBOUNDED = 'P3650D';

export const drawnUsageBugs: readonly Mutant[] = bugs({
  submitEvents: {
    'takes the external id of a vendor for a remark beside its id': ofEvents(({ costs }) => {
      for (const cost of costs ?? []) if (cost.vendor_id) delete cost.vendor_external_id;
    }),
    'drops what is false, 0 or empty in data': ofEvents((event) => {
      event.data = Object.fromEntries(
        Object.entries(event.data ?? {}).filter(([, value]) => value),
      );
    }),
    'judges the age of the first event of a batch alone': (call, context, run) => {
      const { settings, now } = context;
      const [first, ...others] = call.body.events;
      const isOld = Date.parse(now) - Date.parse(first.occurred_at) > 34 * LENGTH_OF_DAY;
      if (isOld || others.length === 0) return run();
      return run(call, { ...context, settings: { ...settings, event_max_age: UNBOUNDED } });
    },
  },
  listEvents: {
    'finds nothing in a period of one day': showing((_, { query }) =>
      query.period_from !== undefined && query.period_from === query.period_to
        ? { items: [], total_count: 0 }
        : {},
    ),
  },
  getEvent: {
    'leaves out the costs where there is no fee': showing(({ fees }) =>
      fees.length === 0 ? { costs: [] } : {},
    ),
  },
  getTask: {
    'leaves out vendors that cost nothing': showing(({ vendors }) => ({
      vendors: vendors.filter(({ total_costs }: Loose) => total_costs !== 0),
    })),
  },
  listWebhookEvents: {
    'takes what has not failed for a success': (call, _, run) => {
      const { status, ...query } = call.query;
      if (status !== 'Success') return run();
      const reply = run({ ...call, query });
      if (!reply.body) return reply;
      const items = reply.body.items.filter(({ failed_at }: Loose) => failed_at === null);
      return { ...reply, body: { ...reply.body, items } };
    },
    'names of the destinations those alone that are asked for': showing(({ items }, { query }) => {
      const asked: string[] | undefined = query.destination_id?.map((id: string) => id.slice(4));
      if (!asked) return {};
      return {
        items: items.map((item: Loose) => ({
          ...item,
          matched_destination_ids: item.matched_destination_ids.filter((id: string) =>
            asked.includes(id.slice(4)),
          ),
        })),
      };
    }),
  },
  testWebhooks: {
    'answers a second test with the id of the first': (call, context, run) => {
      const known = tests(context);
      const place = `${context.owner} ${call.path.topic}`;
      const reply = run();
      if (!known.has(place)) known.set(place, reply.body.id);
      return { ...reply, body: { id: known.get(place) } };
    },
  },
  createSubscription: {
    'tells of an activation as made when it was asked to start': through(
      'webhook_events',
      (table, { body: { starts_at } }, { now }) => ({
        put(row: Loose) {
          if (!starts_at || Date.parse(starts_at) >= Date.parse(now)) return table.put(row);
          const created = new Date(starts_at).toISOString();
          const body = row.body.replace(/("created":)"[^"]*"/, `$1"${created}"`);
          return table.put({ ...row, body });
        },
      }),
    ),
    'tells the platform of live activations of its accounts as of tests': through(
      'webhook_events',
      (table) => ({
        put: (row: Loose) =>
          table.put(
            row.account_id
              ? { ...row, body: row.body.replace('"live_mode":true', '"live_mode":false') }
              : row,
          ),
      }),
    ),
  },
});
