import { aVendor, unique, unknownId, usageEvent, uuid } from '../../../kit/index.ts';
import { listed, stored, taskOf } from '../events.ts';
import { each, pick, type Resource } from '../fields.ts';
import { decimals, described, long, METADATA, NO_DECIMALS, TEXTS, text } from '../values.ts';

/** A submission of one event. */
export const batches: Resource = async (owners) => {
  const { id: customer_id, external_id: customer_external_id } = await owners.customer();
  const many = Array.from({ length: 1001 }, () => usageEvent('contract.unpriced'));
  const costs = [{ id: uuid(), vendor_id: (await aVendor()).id, amount: 1 }];
  const sharing = [1, 2].map(() => usageEvent('contract.fields', { costs }));
  return {
    operation: 'submitEvents',
    apart: ['customer_id'],
    state: () => listed({ customer_id }),
    request: async (fields) => ({
      body: { customer_id, events: [usageEvent('contract.fields')], ...fields },
    }),
    shown: async () => [],
    kept: [],
    wrong: [...each('customer_id', [undefined]), ...each('events', [undefined, 'none'])],
    beyond: {
      'A-801': each('events', [[], many]),
      'A-804': [{ customer_id, customer_external_id }, { events: sharing }],
    },
  };
};

interface SentEvent {
  readonly id: string;
  readonly subject?: string;
}

const sentIn = (body: unknown) => (body as { readonly events: readonly SentEvent[] }).events;

/** What two equal events show by id, in their task, and in the list, which has no data. */
async function shownEvents(id: string, sent: readonly SentEvent[]) {
  const names = ['event_type', 'subject', 'description'];
  const [first, second] = sent as [SentEvent, SentEvent];
  const isSent = (event: SentEvent) => event.id === first.id || event.id === second.id;
  const { subject } = first;
  const others = subject
    ? (await taskOf({ id }, subject)).events.filter(isSent)
    : [await stored(second.id)];
  return [
    ...[await stored(first.id), ...others].map((each) => pick(each, [...names, 'data'])),
    pick((await listed({ event_id: second.id }))[0], names),
  ];
}

/** Two usage events of one batch, in their details, in the list and in their task. */
export const events: Resource = async (owners) => {
  const { id: customer_id } = await owners.customer();
  return {
    operation: 'submitEvents',
    at: ['events[0]', 'events[1]'],
    state: () => listed({ customer_id }),
    request: async (fields) => {
      const anEvent = () => usageEvent('contract.fields', { subject: undefined, ...fields });
      return { body: { customer_id, events: [anEvent(), anEvent()] } };
    },
    shown: (_, { body }) => shownEvents(customer_id, sentIn(body)),
    presets: { data: {} },
    kept: [
      ...['', ...TEXTS.slice(0, 4)].map((description) => ({
        description,
        subject: `${unique()} ${description}`,
        data: { [description]: description },
      })),
      { description: long(1024), subject: long(256), event_type: 'x' },
    ],
    wrong: [...each('id', ['not-a-uuid']), ...each('data', [{ deep: { er: 1 } }])],
    beyond: {
      'A-303': each('data', [{ value: 1e15 }, { value: -1e15 }]),
      'A-306': [
        ...each('subject', [long(257), '']),
        ...each('description', [long(1025)]),
        ...each('event_type', ['']),
      ],
    },
  };
};

const NUMBERS = ['units', 'unit_price', 'input_volume', 'volume_rate', 'package_size'];

/** A cost of this amount. Its other numbers, which count nothing, can also be negative. */
const numbers = (value: number) => ({
  amount: Math.abs(value),
  ...Object.fromEntries(NUMBERS.map((name) => [name, value])),
});

/** What a cost beside a vendor cannot be. */
const noCosts = async (vendor_external_id: string) => ({
  'A-303': [
    ...each('amount', NO_DECIMALS),
    ...NUMBERS.flatMap((name) => each(name, [1e15, 0.00000000001])),
  ],
  'A-306': each('description', [long(1025)]),
  'A-804': [
    { vendor_id: unknownId('vnd'), vendor_external_id: undefined },
    { vendor_external_id, vendor_id: (await aVendor('other')).id },
  ],
});

/** Two costs of a usage event, in its detail and in its task. */
export const costs: Resource = async (owners) => {
  const [customer, { external_id: vendor_external_id }] = [
    await owners.customer(),
    await aVendor(),
  ];
  return {
    operation: 'submitEvents',
    at: ['events[0].costs[0]', 'events[0].costs[1]'],
    state: () => listed({ customer_id: customer.id }),
    required: ['amount'],
    apart: ['vendor_id', 'vendor_external_id'],
    request: async (fields) => {
      const aCost = () => ({ id: uuid(), vendor_external_id, amount: 1, ...fields });
      const event = usageEvent('contract.fields', { costs: [aCost(), aCost()] });
      return { body: { customer_external_id: customer.external_id, events: [event] } };
    },
    async shown(_, { body }) {
      const { id, subject = '' } = sentIn(body)[0] as SentEvent;
      const { events } = await taskOf(customer, subject);
      const names = ['amount', ...NUMBERS, 'description', 'metadata', 'category'];
      const shown = [await stored(id), events[0]].flatMap((event) => event?.costs ?? []);
      return shown.map((cost) => pick(cost, names));
    },
    kept: METADATA.map((metadata, index) => ({
      description: described(text(index), index),
      metadata,
      category: 'storage',
      ...(index > 0 ? numbers([...decimals, 0, -0.5][index - 1] ?? 0.5) : { amount: 0 }),
    })),
    wrong: [
      ...each('id', [undefined, 'not-a-uuid']),
      ...each('amount', [undefined]),
      { vendor_id: undefined, vendor_external_id: undefined },
      ...each('metadata', ['v', ['v'], { k: null }]),
    ],
    beyond: await noCosts(vendor_external_id),
  };
};
