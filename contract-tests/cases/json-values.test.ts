import {
  ADDRESSES,
  aConnectedAccount,
  aDraftProduct,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  aReceiver,
  assuming,
  aUnitPrice,
  aUsageEvent,
  aVendor,
  aWebhook,
  type CheckContext,
  call,
  check,
  eventually,
  expect,
  type OperationId,
  refused,
  table,
  unique,
  uniqueSubject,
  usageEvent,
  uuid,
  withNulls,
} from '../kit/index.ts';
import { price, priced, ROWS, stored, taskOf } from './shared/events.ts';
import { pick } from './shared/fields.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';
import { detailOf, ONE_TIME } from './shared/subscriptions.ts';
import { request } from './shared/wallets.ts';
import { log, TOPIC } from './shared/webhooks.ts';

/** A request that leaves out optional fields, and how to read what it made. */
interface Sparse {
  readonly path?: Readonly<Record<string, string>>;
  readonly body: object;
  // biome-ignore lint/suspicious/noExplicitAny: The body of any operation.
  read(reply: any): Promise<unknown>;
}

/** What a response shows, without null, ids, and the values of times and links. */
const alike = (shown: unknown): unknown =>
  JSON.parse(
    JSON.stringify(shown, (name, value) => {
      const isId = /(^|_)id$/.test(name) && name !== 'external_id';
      if (value === null || isId) return undefined;
      return /(_at|^valid_\w+|^redirect_url)$/.test(name) ? 'some' : value;
    }),
  );

/** Makes two objects, one with fields left out and one with null for them, and expects that they show the same. */
async function expectSame(operation: OperationId, make: () => Promise<Sparse>): Promise<void> {
  const shown: unknown[] = [];
  for (const isFilled of [false, true]) {
    const { path, body, read } = await make();
    const filled = isFilled ? withNulls(operation, body) : body;
    // In an update, null clears a field.
    const sent = operation.startsWith('update') ? pick(filled, Object.keys(body)) : filled;
    const parts = { ...(path && { path }), body: sent };
    const reply = await call(operation, parts, [200, 201, 204]);
    shown.push(alike(await read(reply.body)));
  }
  expect(shown[1], operation).toEqual(shown[0]);
}

/** Prices and entitlements of every kind, each with no optional field and with some. */
const PRICES = [
  { ...aFixedPrice(), name: 'Monthly' },
  ONE_TIME,
  { ...ONE_TIME, name: 'Period', billing_model: { type: 'one_time', one_time: {} } },
  aUnitPrice('contract.null'),
  ...['volume', 'unit_and_volume'].map((usage_type) => ({
    ...price('contract.null', usage_type, [{ volume_rate: 2 }]),
    name: usage_type,
  })),
  ...priced('tiered', { basis: 'volume' }, ROWS)('contract.null'),
  ...priced('bulk', { basis: 'volume' }, [{ values: ROWS }])('contract.null'),
  ...priced('package', undefined, [{ volume_rate: 2, package_size: 10 }])('contract.null'),
].map((each, index) => ({ ...each, name: `P${index}` }));
const ENTITLEMENTS = [
  ENTITLEMENT,
  { ...ENTITLEMENT, name: 'Day', lifecycle: { duration: 'day' }, accounting: {} },
  { ...ENTITLEMENT, name: 'Basis', accounting: { revenue_basis: 0.5 }, priority: 0 },
];

const WHOLE = { prices: PRICES, entitlements: ENTITLEMENTS };

/** What a new version shows but the code of its product. */
const versionShown = async ({ id }: { id: string }, version: number) => ({
  ...(await versionOf({ id }, version)),
  code: null,
});

/** Requests with optional fields at more than one depth. Those of other objects are among the checks of fields. */
const NESTED: Readonly<
  Record<string, readonly [OperationId, (t: CheckContext) => Promise<Sparse>]>
> = {
  'a customer with subscriptions': [
    'createCustomer',
    async () => {
      const [usage, fixed] = [await aFreshProduct(), await aFreshProduct({ prices: PRICES })];
      const subscriptions = [
        { products: [{ id: usage.id }] },
        { products: [{ code: usage.code }, { id: fixed.id }], ...ADDRESSES },
      ];
      const external_accounts = [{ provider: 'stripe', provider_id: 'contract' }];
      const body = { name: 'Contract null', subscriptions, external_accounts };
      return { body, read: async (made) => shownOf([made, await detailOf(made)]) };
    },
  ],
  'a subscription': [
    'createSubscription',
    async () => {
      const [usage, fixed] = [await aFreshProduct(), await aFreshProduct({ prices: PRICES })];
      const customer = await aFreshCustomer({ name: 'Contract null', external_id: null });
      const body = { products: [{ code: usage.code }, { id: fixed.id }], ...ADDRESSES };
      const read = async (made: object) => shownOf([made, await detailOf(customer)]);
      return { path: { customerId: customer.id }, body, read };
    },
  ],
  'a top-up': [
    'createTopUp',
    async () => {
      const body = request(await aFreshCustomer(), { destination: {} });
      return { body, read: ({ id }) => api('getTopUp', { path: { topUpId: id } }, 200) };
    },
  ],
  'a simulation': [
    'simulateUsage',
    async () => {
      const product = await aFreshProduct({ prices: PRICES.slice(3) });
      const events = [usageEvent('contract.null', { subject: undefined })];
      const read = async ({ fees }: { fees: readonly object[] }) => fees;
      return { path: { productId: product.id, version: '1' }, body: { events }, read };
    },
  ],
  'a product': [
    'createProduct',
    async () => {
      const body = { name: 'Contract null', code: unique('null'), ...WHOLE };
      return { body, read: (made) => versionShown(made, 1) };
    },
  ],
  'a version without entitlements of its own': [
    'createProductVersion',
    async (t) => {
      const { id } = await aDraftProduct(t, { name: 'Contract null', ...WHOLE });
      const read = (made: { id: string }) => versionShown(made, 2);
      return { path: { productId: id }, body: { prices: PRICES }, read };
    },
  ],
  'an update of a draft': [
    'updateProductVersion',
    async (t) => {
      const draft = await aDraftProduct(t, { name: 'Contract null' });
      const path = { productId: draft.id, version: '1' };
      return { path, body: WHOLE, read: () => versionShown(draft, 1) };
    },
  ],
};

/** The same without the codes of new products. */
const shownOf = (shown: unknown): unknown =>
  JSON.parse(JSON.stringify(shown, (name, value) => (name === 'code' ? undefined : value)));

table(
  'X-27',
  { requirement: 'R-CONV-24', effect: 'E4', assumes: 'A-307' },
  'each optional field of a request with several depths as null, together, next to those given → accepted, and the object is as if they were left out',
  NESTED,
  ([operation, make], t) => expectSame(operation, () => make(t)),
);

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

const DISPATCHES = { requirement: 'R-WHK-33', effect: 'E4' } as const;

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
  { ...DISPATCHES, assumes: 'A-1207' },
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
  { requirement: 'R-EVT-10 R-EVT-36 R-PRD-09', effect: 'E3', partly: 'A-307 A-507 A-1507' },
  'data of an event, metadata of a cost, dimensions of a price and a service_period with every kind of value that each takes, empty ones too → returned as sent, dimensions as text, a service_period of null as absent; with any other kind → rejected',
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
