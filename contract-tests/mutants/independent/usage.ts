import { each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  bug,
  byPrefix,
  cents,
  eachOf,
  hides,
  ignores,
  ignoresBeside,
  keepsFirst,
  sending,
  shifts,
  showsFirst,
} from './bug.ts';

/** A mistake about each event of a batch. */
const events = (about: string, change: (event: Loose) => void): Mutant =>
  bug(
    about,
    'submitEvents',
    sending((body) => body.events.forEach(change)),
  );

const forgetsOfEvents = (...names: readonly string[]): Mutant[] =>
  names.map((name) => events(`does not keep ${name}`, (event) => void delete event[name]));

/** A mistake about each cost record. */
const costs = (about: string, change: (cost: Loose) => void): Mutant =>
  events(about, (event) => event.costs?.forEach(change));

const forgetsOfCosts = (...names: readonly string[]): Mutant[] =>
  names.map((name) => costs(`does not keep ${name} of costs`, (cost) => void delete cost[name]));

const asText = (type: 'number' | 'boolean'): Mutant =>
  events(`makes each ${type} in data a text`, ({ data = {} }) => {
    for (const [name, value] of Object.entries(data))
      if (typeof value === type) data[name] = String(value);
  });

/** Finds by several texts at once what begins with one of them. */
const nearFilter = (operation: 'listEvents' | 'listTasks', name: string, field: string): Mutant =>
  bug(`finds by the beginning of ${name}`, operation, (call, _, run) => {
    const wanted: string[] | undefined = call.query[name] && [call.query[name]].flat();
    if (!wanted) return run();
    const reply = run({ ...call, query: { ...call.query, [name]: undefined } });
    if (!reply.body) return reply;
    const items = reply.body.items.filter((item: Loose) =>
      wanted.some((text) => byPrefix(item[field] ?? '', text)),
    );
    return { ...reply, body: { ...reply.body, items, total_count: items.length } };
  });

/** Usage events, fees and tasks. */
export const usageBugs: readonly Mutant[] = [
  ...keepsFirst('submitEvents', 'events'),
  events('keeps the first of several costs', (event) => {
    event.costs = event.costs?.slice(0, 1);
  }),
  events('keeps ids in lower case', (event) => {
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
  asText('number'),
  asText('boolean'),
  events('cuts milliseconds off', (event) => {
    event.occurred_at = event.occurred_at.replace(/\.\d+/, '');
  }),
  costs('rounds costs to cents', (cost) => {
    cost.amount = cents(cost.amount);
  }),
  bug('takes all for happening now', 'submitEvents', (call, { now }, run) => {
    const changed = call.body.events.map((event: Loose) => ({ ...event, occurred_at: now }));
    return run({ ...call, body: { ...call.body, events: changed } });
  }),

  nearFilter('listEvents', 'event_types', 'event_type'),
  nearFilter('listEvents', 'subject', 'subject'),
  ignoresBeside('listEvents', 'subject', 'event_types'),
  ignoresBeside('listEvents', 'has_fees', 'customer_id'),
  ignoresBeside('listEvents', 'customer_id', 'event_id'),
  ignoresBeside('listEvents', 'period_from', 'period_to'),
  ...ignores('listEvents', 'customer_external_id'),
  shifts('listEvents', 'period_from', 1),
  shifts('listEvents', 'period_to', -1),
  bug('lists all where has_fees is false', 'listEvents', (call, _, run) =>
    call.query.has_fees === false
      ? run({ ...call, query: { ...call.query, has_fees: undefined } })
      : run(),
  ),
  bug('asks for the first of several types', 'listEvents', (call, _, run) =>
    run({ ...call, query: { ...call.query, event_types: call.query.event_types?.slice(0, 1) } }),
  ),
  bug(
    'lists by occurrence',
    'listEvents',
    showing(({ items }) => ({
      items: items.toSorted((a: Loose, b: Loose) => b.occurred_at.localeCompare(a.occurred_at)),
    })),
  ),
  bug(
    'shows no description',
    'listEvents',
    each('items', () => ({ description: undefined })),
  ),
  bug(
    'shows the stats of another currency',
    'listEvents',
    each('items', ({ stats }) => ({ stats: { ...stats, currency: 'EUR' } })),
  ),

  ...showsFirst('getEvent', 'fees', 'costs', 'data'),
  ...hides('getEvent', 'subject', 'description'),
  bug(
    'shows fees in cents',
    'getEvent',
    eachOf('fees', ({ amount }) => ({ amount: cents(amount) })),
  ),
  bug(
    'shows version 1 in fees',
    'getEvent',
    eachOf('fees', () => ({ product_version: 1 })),
  ),
  bug(
    'shows no package size',
    'getEvent',
    eachOf('fees', () => ({ package_size: null })),
  ),
  bug(
    'shows all data as dimensions',
    'getEvent',
    eachOf('fees', (_, { data }) => ({
      dimensions: Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, `${value}`]),
      ),
    })),
  ),
  bug(
    'shows the margin in percent',
    'getEvent',
    showing(({ stats }) => ({ stats: { ...stats, margin: stats.margin * 100 } })),
  ),
  bug(
    'counts the first cost alone',
    'getEvent',
    showing(({ stats, costs: [first] }) => ({
      stats: { ...stats, total_costs: first?.amount ?? 0 },
    })),
  ),

  nearFilter('listTasks', 'subject', 'subject'),
  ...ignores('listTasks', 'sort', 'created_from', 'created_to', 'last_updated_from'),
  ignoresBeside('listTasks', 'subject', 'customer_id'),
  shifts('listTasks', 'last_updated_to', -1),
  shifts('listTasks', 'created_from', 1),
  ...showsFirst('getTask', 'events', 'vendors'),
  bug(
    'shows the newest event first',
    'getTask',
    showing(({ events: of }) => ({ events: of.toReversed() })),
  ),
  bug(
    'shows its creation as its last update',
    'getTask',
    showing(({ created_at }) => ({ last_updated_at: created_at })),
  ),
];
