import {
  aConnectedAccount,
  aDraftProduct,
  aFreshCustomer,
  api,
  aReceiver,
  assuming,
  aUsageEvent,
  aVendor,
  aWebhook,
  type CheckContext,
  call,
  check,
  eventually,
  expect,
  refused,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aPayer, price, stored, taskOf } from './shared/events.ts';
import { ROWS } from './shared/prices.ts';
import { versionOf } from './shared/products.ts';
import { ONE_TIME } from './shared/subscriptions.ts';
import { log, TOPIC } from './shared/webhooks.ts';

/** JSON of every kind, among it what is easily taken for no value, or for a value of another kind. */
const ANY_JSON = [
  ...['false', 'true', 'null', '0', '-7.5', '""', '" "', '"0"', '"false"', '"null"', '"text"'],
  ...['[]', '[[]]', '[null]', '[0,"",false]', '{}', '{"":""}', '{"a":null,"b":[],"c":{}}'],
];

/** What is easily taken for no value. */
const NEARLY_NOTHING = ['false', 'null', '0', '""', '[]', '{}'];

/** The values to send by one of the four dispatches: what is nearly nothing, and every fourth of the others. */
const valuesFor = (dispatch: number) =>
  ANY_JSON.filter((raw, index) => NEARLY_NOTHING.includes(raw) || index % 4 === dispatch);

/** Sends each of the values by one of the four test dispatches. Returns the ids of the events with the values. */
async function dispatchAll(t: CheckContext, changes: { readonly url?: string } = {}) {
  const topic = TOPIC;
  const { id: webhookId } = await aWebhook(t, changes);
  const { id: connectedWebhookId } = await aWebhook(t, { ...changes, connect: true });
  const { id: connectedAccountId } = await aConnectedAccount();
  const sent: [id: string, raw: string][] = [];
  for (const [index, [operation, path]] of (
    [
      ['testWebhooks', { topic }],
      ['testWebhook', { topic, webhookId }],
      ['testConnectedWebhooks', { topic, connectedAccountId }],
      ['testConnectedWebhook', { topic, webhookId: connectedWebhookId, connectedAccountId }],
    ] as const
  ).entries())
    for (const raw of valuesFor(index))
      sent.push([(await call(operation, { path, raw }, [202])).body.id as string, raw]);
  return sent;
}

const DISPATCHES = { requirement: 'R-WHK-33', level: 'ASSUMED', effect: 'E4' } as const;

check(
  'WHK-78',
  { ...DISPATCHES, assumes: 'A-1207' },
  'JSON of every kind, empty and null too, as the body of each of the four test dispatches → 202, and exactly that value as data in the log',
  async (t) => {
    const sent = await dispatchAll(t);
    const ids = new Set(sent.map(([id]) => id));
    const shown = async () => (await log()).filter(({ id }) => ids.has(id));
    const items = await eventually(shown, ({ length }) => length === sent.length);
    const found = new Map(items.map(({ id, data }) => [id, JSON.stringify(data)]));

    expect([...ids].map((id) => found.get(id))).toEqual(sent.map(([, raw]) => raw));
  },
);

check(
  'WHK-79',
  { ...DISPATCHES, assumes: 'A-1207', needs: 'receiver' },
  'JSON of every kind, empty and null too, as the body of each of the four test dispatches → the receiver gets it as data',
  async (t) => {
    const receiver = await aReceiver(t);
    for (const [id, raw] of await dispatchAll(t, { url: receiver.url })) {
      const { body } = await receiver.next((delivery) => delivery.body?.id === id);
      expect(JSON.stringify(body.data)).toBe(raw);
    }
  },
);

/** Values of every kind that data takes, among them what is easily taken for no value. */
const VALUES = {
  ...{ text: 'x', empty: '', blank: ' ', yes: true, no: false, zero: 0, less: -0.5, more: 1.5 },
  ...{ numeral: '0', fraction: '1.50', word: 'false', nothing: 'null', list: '[]', map: '{}' },
};

/** Values of the kinds that data does not take. */
const NO_VALUES = [null, [], ['x'], {}, { x: 'x' }];

check(
  'X-68',
  {
    requirement: 'R-EVT-10 R-EVT-36 R-PRD-09',
    level: 'IMPLIED',
    effect: 'E3',
    assumes: 'A-307 A-507 A-1507',
  },
  'data of an event, metadata of a cost, dimensions of a price and a service_period with every kind of value that each takes, empty ones too → returned as sent, dimensions as text, a service_period of null as none; with any other kind → rejected',
  async (t) => {
    const [customer, { id: vendor_id }] = [await aFreshCustomer(), await aVendor()];
    const costs = [{ id: uuid(), vendor_id, amount: 1, metadata: VALUES }];
    const [subject, data] = [uniqueSubject(), { ...VALUES, '': 'no name' }];
    const { id } = await aUsageEvent(customer, 'contract.kinds', { subject, data, costs });
    const task = await taskOf(customer, subject);
    for (const event of [await stored(id), ...task.events])
      expect([event.data, event.costs[0]?.metadata]).toEqual([data, VALUES]);

    const keys = Object.keys(VALUES);
    const rows = keys.map((key) => ({
      dimensions: { [key]: VALUES[key as keyof typeof VALUES] },
      unit_price: 1,
    }));
    const usage = price('contract.kinds', 'unit', rows, { billable_dimensions: keys });
    const product = await aDraftProduct(t, { prices: [usage] });
    const [shown] = (await versionOf(product, 1)).prices;
    const values = shown?.pricing[0]?.values.map((value) => value.dimensions ?? {}) ?? [];
    const asText = Object.entries(VALUES).map(([key, value]) => ({ [key]: String(value) }));
    expect(values.map((value) => Object.entries(value).join())).toEqual(
      asText.map((value) => Object.entries(value).join()),
    );
    await assuming('A-506', async () => expect(values).toEqual(asText));
    for (const wrong of NO_VALUES) {
      const parts = [{ data: { wrong } }, { costs: [{ ...costs[0], metadata: { wrong } }] }];
      for (const changes of parts) {
        const events = [usageEvent('contract.kinds', changes)];
        await refused('submitEvents', { body: { customer_id: customer.id, events } });
        const path = { productId: product.id, version: '1' };
        await assuming('A-512', () => refused('simulateUsage', { path, body: { events } }));
      }
      const prices = [price('x', 'unit', [{ dimensions: { wrong }, unit_price: 1 }])];
      await refused('createProduct', { body: { name: 'Wrong', code: 'contract-wrong', prices } });
    }
    await assuming('A-1507', () => expectServicePeriods(t));
  },
);

async function expectServicePeriods(t: CheckContext): Promise<void> {
  const periods = ANY_JSON.map((raw) => JSON.parse(raw));
  const prices = periods.map((service_period, index) => {
    const billing_model = { type: 'one_time', one_time: { service_period } };
    return { ...ONE_TIME, name: `Once ${index}`, billing_model };
  });
  const { prices: kept } = await versionOf(await aDraftProduct(t, { prices }), 1);
  const returned = kept.map(({ billing_model }) => billing_model.one_time?.service_period ?? null);
  expect(returned).toEqual(periods);
}

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
  { requirement: 'R-EVT-57', level: 'ASSUMED', effect: 'E3', assumes: 'A-508' },
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
    for (const tokens of NO_VALUES) {
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
