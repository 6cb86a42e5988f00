import { key } from 'billing-emulator/internals';
import { asking, declared, each, ignoring, type Loose, type Mutant, showing } from './mutant.ts';

/** Changes every event of a batch. */
const events = (change: (event: Loose) => Loose) =>
  asking((call) => {
    call.body.events = call.body.events.map(change);
  });

/** Changes every pricing value of a new product. */
const values = (change: (list: Loose[]) => Loose[]) =>
  asking((call) => {
    for (const price of call.body.prices ?? [])
      for (const entry of price.pricing) entry.values = change(entry.values);
  });

export const usageMutants: readonly Mutant[] = [
  declared('A repeated event id is billed again', ['EVT-42'], {
    submitEvents: (call, { tables, world, owner }, run) => {
      const seen = new Set<string>();
      const body = structuredClone(call.body);
      for (const event of body.events) {
        const isKnown = seen.has(event.id) || tables.events.get(key(owner, event.id));
        seen.add(event.id);
        if (isKnown) event.id = world.nextUuid('mutant', owner);
      }
      return run({ ...call, body });
    },
  }),
  declared('The last event of a batch is lost', ['EVT-01'], {
    submitEvents: asking((call) => {
      call.body.events = call.body.events.slice(0, -1);
    }),
  }),
  declared('Subjects are lost', ['EVT-01'], {
    submitEvents: events(({ subject: _, ...event }) => event),
  }),
  declared('Event data is lost', ['EVT-01'], {
    submitEvents: events(({ data: _, ...event }) => event),
  }),
  declared('Costs are lost', ['EVT-01', 'EVT-07'], {
    submitEvents: events(({ costs: _, ...event }) => event),
  }),
  declared('Categories of costs are lost', ['EVT-01'], {
    submitEvents: events(({ costs, ...event }) => ({
      ...event,
      ...(costs && { costs: costs.map(({ category: _, ...cost }: Loose) => cost) }),
    })),
  }),
  declared('customer_external_id names nobody', ['EVT-01'], {
    submitEvents: asking((call) => {
      if (call.body.customer_external_id) call.body.customer_external_id += '-nobody';
    }),
  }),
  declared('package_size is ignored', ['EVT-07'], {
    createProduct: values((list) => list.map(({ package_size: _, ...value }) => value)),
  }),
  declared('unit_and_volume bills the volume only', ['EVT-07'], {
    createProduct: asking((call) => {
      for (const price of call.body.prices ?? [])
        if (price.usage_calculation?.usage_type === 'unit_and_volume')
          for (const { values: list } of price.pricing)
            for (const value of list) value.unit_price = 0;
    }),
  }),
  declared('A dimension of * matches nothing', ['EVT-09'], {
    createProduct: values((list) =>
      list.filter(({ dimensions }) => !Object.values(dimensions ?? {}).includes('*')),
    ),
  }),
  declared('The last pricing value listed wins', ['EVT-09', 'EVT-32'], {
    createProduct: values((list) =>
      list.map((value, place) => ({
        ...value,
        ...(list.length > 1 && { dimensions: wildcards(list[list.length - 1 - place]) }),
      })),
    ),
  }),
  declared('Fees do not say which dimensions matched', ['EVT-09'], {
    getEvent: each('fees', () => ({ dimensions: null })),
  }),
  declared('Fees name the newest version', ['EVT-06'], {
    getEvent: each('fees', ({ product_version: of }) => ({ product_version: of + 1 })),
  }),
  declared('Fees are shown in another currency', ['EVT-06'], {
    getEvent: each('fees', () => ({ currency: 'EUR' })),
  }),
  declared('Fees show twice what was taken', ['EVT-06', 'EVT-07'], {
    getEvent: each('fees', ({ amount }) => ({ amount: amount * 2 })),
  }),
  declared('A fee of several rows shows its average rate', ['EVT-44'], {
    getEvent: each('fees', ({ volume_rate, amount, input_volume }) => ({
      volume_rate: volume_rate ?? amount / input_volume,
    })),
  }),
  declared('An event without fees is not stored', ['EVT-06'], {
    getEvent: (_call, _context, run) => {
      const reply = run();
      return reply.body.fees.length === 0 ? { status: 404 } : reply;
    },
  }),
  declared('Event revenue is 0', ['EVT-07'], {
    getEvent: showing((body) => ({ stats: { ...body.stats, gross_revenue: 0 } })),
  }),
  declared('has_fees is inverted', ['EVT-06'], {
    listEvents: each('items', (item) => ({ has_fees: !item.has_fees })),
  }),
  declared('The has_fees filter is inverted', ['EVT-13'], {
    listEvents: asking((call) => {
      if (call.query.has_fees !== undefined) call.query.has_fees = !call.query.has_fees;
    }),
  }),
  declared('Events stand oldest first', ['EVT-13'], {
    listEvents: showing((body) => ({ items: [...body.items].reverse() })),
  }),
  declared('event_types is one word', ['EVT-13'], {
    listEvents: asking((call) => {
      if (call.query.event_types) call.query.event_types = [call.query.event_types.join(',')];
    }),
  }),
  declared('period_to of events is exclusive', ['EVT-13'], {
    listEvents: (call, _, run) => {
      const { period_from, period_to } = call.query;
      if (period_to === undefined || period_from !== period_to) return run();
      return { status: 200, body: { items: [], total_count: 0, limit: 100, offset: 0 } };
    },
  }),
  declared('The subject filter is ignored', ['EVT-13'], { listEvents: ignoring('subject') }),
  declared('The event_id filter is ignored', ['EVT-13'], { listEvents: ignoring('event_id') }),
  declared('The customer_id filter of events is ignored', ['EVT-13'], {
    listEvents: ignoring('customer_id'),
  }),
  declared('total_fees is the first fee', ['EVT-06'], {
    listEvents: each('items', (item) => item.total_fees !== undefined && { total_fees: 0.1 }),
  }),
  declared('A task shows its latest event only', ['TSK-01'], {
    getTask: showing((body) => ({ events: body.events.slice(-1) })),
  }),
  declared('created_at of a task is its latest event', ['TSK-01'], {
    getTask: showing((body) => ({ created_at: body.last_updated_at })),
  }),
  declared('Vendors of a task are lost', ['TSK-06'], { getTask: showing(() => ({ vendors: [] })) }),
  declared('Tasks stand oldest first', ['TSK-03'], {
    listTasks: showing((body) => ({ items: [...body.items].reverse() })),
  }),
  declared('The sort field of tasks is ignored', ['TSK-03'], { listTasks: ignoring('sort') }),
  declared('The date filters of tasks are ignored', ['TSK-03'], {
    listTasks: ignoring('created_from', 'created_to', 'last_updated_from', 'last_updated_to'),
  }),
  declared('A subject with a slash is not found', ['TSK-01'], {
    getTask: (call, _, run) => (call.path.taskId.includes('/') ? { status: 404 } : run()),
  }),
];

/** The dimensions of a value, all with `*`. */
const wildcards = ({ dimensions }: Loose): Loose =>
  Object.fromEntries(Object.keys(dimensions ?? {}).map((name) => [name, '*']));
