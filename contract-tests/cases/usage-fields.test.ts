import {
  aFreshCustomer,
  api,
  assuming,
  aUsageEvent,
  call,
  check,
  expect,
  refused,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import {
  aNewVendor,
  aPayer,
  listed,
  price,
  ROWS,
  stored,
  submit,
  taskOf,
  vendorStats,
} from './shared/events.ts';
import { pageOf } from './shared/lists.ts';
import { edged, long, TEXTS } from './shared/values.ts';

/** Subjects of 1 to 256 characters: almost equal, blank, all to be escaped in a URL, and beginning with ids. */
const subjectsOf = (customerId: string) => [
  ...[...edged(uniqueSubject()), ' ', '漢', long(256), '/'.repeat(256)],
  ...[`${'x'.repeat(255)}y`, 'x'.repeat(256), '%2F:?#&+ '.repeat(28), `${TEXTS[0]} é`],
  `${customerId}:${':'.repeat(255 - customerId.length)}`,
];

check(
  'TSK-18',
  {
    requirement: 'R-CONV-23 R-TSK-01 R-TSK-02 R-TSK-13 R-TSK-15',
    effect: 'E3',
    partly: 'A-306 A-1001',
  },
  'subjects of 1 to 256 characters, blank, escaped in URLs, and that differ only at their ends → a task each, found by its own subject and id, shown as sent in the list, in the detail and in each event; one of 257 → no task',
  async () => {
    const customer = await aFreshCustomer();
    const subjects = subjectsOf(customer.id);
    const events = [...subjects, ...subjects].map((subject) =>
      usageEvent('contract.edges', { subject }),
    );
    await submit(customer, ...events);
    const of = { customer_id: customer.id };
    const { items } = await api('listTasks', { query: of }, 200);
    expect(items.map(({ subject }) => subject).sort()).toEqual([...subjects].sort());
    for (const subject of subjects) {
      const own = events.filter((event) => event.subject === subject).map(({ id }) => id);
      const task = await taskOf(customer, subject);
      const page = await pageOf({ list: 'listTasks', query: { ...of, subject } });
      const wanted = { id: `${customer.id}:${subject}`, subject, event_count: 2 };
      expect([task, ...page.items], wanted.id).toMatchObject([wanted, wanted]);
      for (const shown of [task.events, await listed({ ...of, subject })]) {
        expect(shown.map(({ id }) => id).sort(), wanted.id).toEqual(own.sort());
        expect(shown.map((event) => event.subject)).toEqual([subject, subject]);
      }
    }
    const whole = `${uniqueSubject()} é`;
    await aUsageEvent(customer, 'contract.edges', { subject: whole });
    expect(await listed({ subject: whole.normalize('NFD') })).toEqual([]);
    await call('getTask', { path: { taskId: `${customer.id}:${'x'.repeat(257)}` } }, [404]);
  },
);

check(
  'EVT-89',
  { requirement: 'R-EVT-30', effect: 'E3' },
  'event types, volume fields, dimensions and their values that differ only by spaces and other unseen characters at their ends → priced each by its own alone, shown as sent, and filtered by exactly the type',
  async () => {
    const [types, fields] = [edged('use'), edged('field')];
    const { customer, eventType } = await aPayer((type) => [
      ...edged(type).map((each, index) => ({
        ...price(each, 'unit', [{ unit_price: index + 1 }]),
        name: `T${index}`,
      })),
      ...fields.map((volume_field, index) => ({
        ...price(`${type}.volume`, 'volume', [{ volume_rate: index + 1 }], { volume_field }),
        name: `V${index}`,
      })),
      price(
        `${type}.value`,
        'unit',
        fields.flatMap((key, place) =>
          types.map((value, index) => ({
            dimensions: { [key]: value },
            unit_price: place * 100 + index,
          })),
        ),
        { billable_dimensions: fields },
      ),
    ]);
    const fees = async (type: string, data: object) => {
      const event = await stored((await aUsageEvent(customer, type, { data })).id);
      expect([event.event_type, event.data]).toEqual([type, data]);
      return event.fees.map((fee) => [fee.amount, fee.volume_field ?? fee.dimensions]);
    };
    for (const [index, type] of edged(eventType).entries()) {
      expect(await fees(type, { x: 'x' })).toEqual([[index + 1, null]]);
      const query = { customer_id: customer.id, event_types: [type] };
      const found = (await listed(query)).map(({ event_type }) => event_type);
      await assuming('A-806', async () => expect(found).toEqual([type]));
    }
    for (const [place, field] of fields.entries()) {
      expect(await fees(`${eventType}.volume`, { [field]: 1 })).toEqual([[place + 1, field]]);
      const value = types[place] as string;
      expect(await fees(`${eventType}.value`, { [field]: value })).toEqual([
        [place * 101, { [field]: value }],
      ]);
    }
  },
);

/** Categories as they are sorted, capitals before small letters. */
const SORTED = [
  ...['1', '10', '100', '2', '9', 'C', 'C10', 'C9', 'Z'],
  ...['c', 'c 1', 'c10', 'c9', 'cc', 'z', 'é'],
];

check(
  'VND-15',
  { requirement: 'R-VND-13', effect: 'E3', assumes: 'A-904' },
  'categories of costs with numbers, capitals, blanks, and that differ only at their ends → each listed separately as sent, in the order of characters, with its own costs, and found alone by its filter',
  async () => {
    const [customer, vendorId] = [await aFreshCustomer(), await aNewVendor()];
    const categories = [...edged('calls'), ' ', '\t', ...SORTED.toReversed()];
    const costs = categories.map((category, index) => ({
      ...{ id: uuid(), vendor_id: vendorId, amount: 2 ** index, category },
    }));
    const { id } = await aUsageEvent(customer, 'contract.edges', { costs });
    expect((await stored(id)).costs.map(({ category }) => category)).toEqual(categories);
    const stats = await vendorStats(vendorId);
    const shown = stats.categories.map(({ category }) => category as string);
    expect(shown.filter((category) => SORTED.includes(category))).toEqual(SORTED);
    expect(shown).toHaveLength(categories.length);
    for (const [index, category] of categories.entries()) {
      const one = await vendorStats(vendorId, { category });
      const wanted = { total_costs: 2 ** index, categories: [{ category }] };
      expect(one, JSON.stringify(category)).toMatchObject(wanted);
      expect(stats.categories.find((each) => each.category === category)?.cost).toBe(2 ** index);
    }
  },
);

/** What no volume is. */
const NO_VOLUMES = [null, [], ['x'], {}, { x: 'x' }];

/** Prices by volume: flat, with a price per event, and in each pricing model. */
const byVolume = (type: string): object[] => {
  const modelled = (pricing_model: string, values: object[], more: object = {}) => ({
    ...price(type, 'volume', values),
    ...{ name: pricing_model, pricing_model, tiering: { basis: 'volume' }, ...more },
  });
  return [
    price(type, 'volume', [{ volume_rate: 2 }]),
    { ...price(type, 'unit_and_volume', [{ unit_price: 1, volume_rate: 2 }]), name: 'Both' },
    modelled('tiered', ROWS),
    modelled('bulk', ROWS),
    modelled('package', [{ volume_rate: 4, package_size: 10 }], { tiering: undefined }),
  ];
};

check(
  'EVT-88',
  { requirement: 'R-EVT-57', effect: 'E3', assumes: 'A-508' },
  'volumes of every kind: true, false, numeric and other texts, below 0 → no fee in any pricing model, billed or simulated, and not counted; null, lists and maps → rejected; 0 and more → a fee',
  async () => {
    const { customer, eventType, product } = await aPayer(byVolume);
    const path = { productId: product.id, version: 'default' };
    const texts = ['', ' ', '0', '3', '3.0', '0x3', 'three', 'true', 'NaN'];
    for (const tokens of [...texts, true, false, -3]) {
      const event = usageEvent(eventType, { data: { tokens, other: 3 } });
      const body = { customer_id: customer.id, events: [event] as never };
      expect((await api('simulateUsage', { path, body }, 200)).fees, String(tokens)).toEqual([]);
      await api('submitEvents', { body }, 204);
      expect((await stored(event.id)).fees, String(tokens)).toEqual([]);
    }
    for (const tokens of NO_VOLUMES) {
      const body = {
        customer_id: customer.id,
        events: [usageEvent(eventType, { data: { tokens } })],
      };
      await refused('submitEvents', { body });
      await refused('simulateUsage', { path, body });
    }
    const fees = async (tokens: number) =>
      (await stored((await aUsageEvent(customer, eventType, { data: { tokens } })).id)).fees.map(
        ({ amount, input_volume }) => [amount, input_volume],
      );

    const none = [0, 1, 0, 0, 0].map((sum) => [sum, 0]);
    const events = [usageEvent(eventType, { data: { tokens: 0 } })] as never;
    const body = { customer_id: customer.id, events };
    const { fees: simulated } = await api('simulateUsage', { path, body }, 200);
    expect(simulated.map(({ amount, input_volume }) => [amount, input_volume])).toEqual(none);
    expect(await fees(0)).toEqual(none);
    // Up to 100, a token costs 1; the first package of ten costs 4.
    expect(await fees(99)).toEqual([198, 199, 99, 99, 40].map((sum) => [sum, 99]));
    // Nor is a volume below 0 taken off what was counted.
    expect(await fees(-50)).toEqual([]);
    // One token in the first row and half of one in the second, 1 + 0.5 × 0.5, or all in the second; they fill 11 packages.
    expect(await fees(1.5)).toEqual([3, 4, 1.25, 0.75, 4].map((sum) => [sum, 1.5]));
  },
);
