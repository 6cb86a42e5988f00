import { each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  aboutEach,
  bugs,
  cents,
  hides,
  ignores,
  ignoresBeside,
  keepsFirst,
  type Mistakes,
  sending,
  shifts,
  showsFirst,
} from './bug.ts';

/** Changes each event of a batch. */
const events = (change: (event: Loose) => void) => sending((body) => body.events.forEach(change));

const forgetsOfEvents = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `does not keep ${name}`,
    (name) => events((event) => void delete event[name]),
  );

/** Changes each cost record. */
const costs = (change: (cost: Loose) => void) => events((event) => event.costs?.forEach(change));

const forgetsOfCosts = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `does not keep ${name} of costs`,
    (name) => costs((cost) => void delete cost[name]),
  );

const asText = (type: 'number' | 'boolean'): Mistakes => ({
  [`makes each ${type} in data a text`]: events(({ data = {} }) => {
    for (const [name, value] of Object.entries(data))
      if (typeof value === type) data[name] = String(value);
  }),
});

/** A filter with one or more texts that finds values starting with one of them. */
const nearFilter = (name: string, field: string): Mistakes => ({
  [`finds by the beginning of ${name}`]: (call, _, run) => {
    const wanted: string[] | undefined = call.query[name] && [call.query[name]].flat();
    if (!wanted) return run();
    const reply = run({ ...call, query: { ...call.query, [name]: undefined } });
    if (!reply.body) return reply;
    const items = reply.body.items.filter((item: Loose) =>
      wanted.some((text) => (item[field] ?? '').startsWith(text)),
    );
    return { ...reply, body: { ...reply.body, items, total_count: items.length } };
  },
});

/** Usage events, fees and tasks. */
export const usageBugs: readonly Mutant[] = bugs({
  submitEvents: {
    ...keepsFirst('events'),
    'keeps the first of several costs': events((event) => {
      event.costs = event.costs?.slice(0, 1);
    }),
    'keeps ids in lower case': events((event) => {
      event.id = event.id.toLowerCase();
    }),
    ...forgetsOfEvents('description', 'subject'),
    ...forgetsOfCosts(
      'units',
      'unit_price',
      'input_volume',
      'volume_rate',
      'package_size',
      'metadata',
    ),
    ...forgetsOfCosts('description', 'currency', 'category'),
    ...asText('number'),
    ...asText('boolean'),
    'cuts milliseconds off': events((event) => {
      event.occurred_at = event.occurred_at.replace(/\.\d+/, '');
    }),
    'rounds costs to cents': costs((cost) => {
      cost.amount = cents(cost.amount);
    }),
    'takes all for happening now': (call, { now }, run) => {
      const changed = call.body.events.map((event: Loose) => ({ ...event, occurred_at: now }));
      return run({ ...call, body: { ...call.body, events: changed } });
    },
  },
  listEvents: {
    ...nearFilter('event_types', 'event_type'),
    ...nearFilter('subject', 'subject'),
    ...ignoresBeside('subject', 'event_types'),
    ...ignoresBeside('has_fees', 'customer_id'),
    ...ignoresBeside('customer_id', 'event_id'),
    ...ignoresBeside('period_from', 'period_to'),
    ...ignores('customer_external_id'),
    ...shifts('period_from', 'period_to'),
    'lists all where has_fees is false': (call, _, run) =>
      call.query.has_fees === false
        ? run({ ...call, query: { ...call.query, has_fees: undefined } })
        : run(),
    'asks for the first of several types': (call, _, run) =>
      run({ ...call, query: { ...call.query, event_types: call.query.event_types?.slice(0, 1) } }),
    'lists by occurrence': showing(({ items }) => ({
      items: items.toSorted((a: Loose, b: Loose) => b.occurred_at.localeCompare(a.occurred_at)),
    })),
    'shows no description': each('items', () => ({ description: undefined })),
    'shows the stats of another currency': each('items', ({ stats }) => ({
      stats: { ...stats, currency: 'EUR' },
    })),
  },
  getEvent: {
    ...showsFirst('fees', 'costs', 'data'),
    ...hides('subject', 'description'),
    'shows fees in cents': each('fees', ({ amount }) => ({ amount: cents(amount) })),
    'shows version 1 in fees': each('fees', () => ({ product_version: 1 })),
    'shows no package size': each('fees', () => ({ package_size: null })),
    'shows all data as dimensions': showing(({ fees, data }) => {
      const all = Object.entries(data).map(([name, value]) => [name, `${value}`]);
      const dimensions = Object.fromEntries(all);
      return { fees: fees.map((fee: Loose) => ({ ...fee, dimensions })) };
    }),
    'shows the margin in percent': showing(({ stats }) => ({
      stats: { ...stats, margin: stats.margin * 100 },
    })),
    'counts the first cost alone': showing(({ stats, costs: [first] }) => ({
      stats: { ...stats, total_costs: first?.amount ?? 0 },
    })),
  },
  listTasks: {
    ...nearFilter('subject', 'subject'),
    ...ignores('sort', 'created_from', 'created_to', 'last_updated_from'),
    ...ignoresBeside('subject', 'customer_id'),
    ...shifts('last_updated_to', 'created_from'),
  },
  getTask: {
    ...showsFirst('events', 'vendors'),
    'shows the newest event first': showing(({ events: of }) => ({ events: of.toReversed() })),
    'shows its creation as its last update': showing(({ created_at }) => ({
      last_updated_at: created_at,
    })),
  },
});
