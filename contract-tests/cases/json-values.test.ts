import {
  aConnectedAccount,
  aDraftProduct,
  aFreshCustomer,
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
import { price, stored, taskOf } from './shared/events.ts';
import { versionOf } from './shared/products.ts';
import { log, TOPIC } from './shared/webhooks.ts';

/** JSON of every kind, among it what is easily taken for no value, or for a value of another kind. */
const ANY_JSON = [
  'false',
  'true',
  'null',
  '0',
  '-7.5',
  '""',
  '" "',
  '"0"',
  '"false"',
  '"null"',
  '"text"',
  '[]',
  '[[]]',
  '[null]',
  '[0,"",false]',
  '{}',
  '{"":""}',
  '{"a":null,"b":[],"c":{}}',
];

/** What is easily taken for no value. */
const NEARLY_NOTHING = ['false', 'null', '0', '""', '[]', '{}'];

/** The values to send by one of the four dispatches: what is nearly nothing, and every fourth of the others. */
const valuesFor = (dispatch: number) =>
  ANY_JSON.filter((raw, index) => NEARLY_NOTHING.includes(raw) || index % 4 === dispatch);

/** Sends each of the values by one of the four test dispatches. Returns the ids of the events with the values. */
async function dispatchAll(t: CheckContext) {
  const topic = TOPIC;
  const { id: webhookId } = await aWebhook(t);
  const { id: connectedWebhookId } = await aWebhook(t, { connect: true });
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

check(
  'WHK-78',
  { requirement: 'R-WHK-33', effect: 'E4', assumes: 'A-1207' },
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

/** Values of every kind that data takes, among them what is easily taken for no value. */
const VALUES = {
  text: 'x',
  empty: '',
  blank: ' ',
  yes: true,
  no: false,
  zero: 0,
  less: -0.5,
  more: 1.5,
  numeral: '0',
  fraction: '1.50',
  word: 'false',
  nothing: 'null',
  list: '[]',
  map: '{}',
};

/** Values of the kinds that data does not take. */
const NO_VALUES = [null, [], ['x'], {}, { x: 'x' }];

check(
  'X-68',
  { requirement: 'R-EVT-10 R-EVT-36 R-PRD-09', effect: 'E3', partly: 'A-307 A-507' },
  'data of an event, metadata of a cost and dimensions of a price with every kind of value that each takes, empty ones too → returned as sent, dimensions as text; with any other kind → rejected',
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
  },
);
