import {
  ADDRESSES,
  type AnyBody,
  aFixedPrice,
  anOwnWorld,
  aReceiver,
  aUnitPrice,
  type CheckContext,
  check,
  expect,
  type OperationId,
  unknownId,
  uuid,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { TOPIC } from './shared/webhooks.ts';

const [url, renews_at, ODD] = ['https://127.0.0.1:9/a', '2026-05-01T00:00:00Z', { odd: 1 }];
const FREE = [aUnitPrice('call')];
const HOOK = { url: `${url}b`, topics: ['contract.unheard_of'] };
const TERMS = { return_url: url, failure_url: url, redirect_to: 'portal', renews_at };
const ADA = { name: 'Eve', external_id: 'eve', email: 'e@example.com', metadata: { a: 'b' } };
const DRAFT = { prices: [aFixedPrice()], entitlements: [ENTITLEMENT], publish: true };
const HOOKS = [{ url: 'no' }, { topics: ['*', 'A b'] }, ODD];
const PEOPLE = [{ external_id: 'bob' }, { email: 'no' }, { metadata: 1 }];
const TIMES = [{ renews_at: '2026-02-01T00:00:00Z' }, { return_url: 'no' }];
const PARTS = [{ entitlements: [{}] }, { prices: [{}] }, { publish: 'no' }];

/** A write, what is right in its body, wrong parts beside that, and a read that shows what it must not change. */
interface Write {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly right: object;
  readonly wrong: readonly object[];
  readonly read: () => Promise<unknown>;
}

/** Sends each wrong part beside all right ones, which must change nothing, and then the right ones alone, which must. */
async function expectNoChange(
  call: WorldCall,
  { operation, path = {}, right, wrong, read }: Write,
): Promise<void> {
  const before = await read();
  for (const part of wrong)
    await call(operation, { path, body: { ...right, ...part } }, [400, 409, 422]);
  expect(await read(), `${operation}: after ${wrong.length} rejected`).toEqual(before);
  await call(operation, { path, body: right });
  expect(await read(), `${operation}: after one accepted`).not.toEqual(before);
}

check(
  'X-79',
  {
    requirement: 'R-ERR-28',
    effect: 'E4',
    assumes: 'A-203 A-601 A-606 A-607',
    needs: 'clock.movable',
  },
  'a destination, a customer and subscriptions, each updated and added to an hour later, with one wrong part beside the right ones → rejected, every field as before, times too',
  async (t) => {
    const { call, until, path } = await aCustomerWorld(t);
    const { id: webhookId } = await call('createWebhook', { body: { url } });
    const plan = { name: 'Plan', code: 'plan', prices: FREE, publish: true };
    const { id } = await call('createProduct', { body: plan });
    await call('createProductVersion', { path: { productId: id }, body: { ...DRAFT } });
    await call('createCustomer', { body: { name: 'Bob', external_id: 'bob' } });
    const add = async (version: number) => {
      const body = { ...ADDRESSES, products: [{ id, version }] };
      return { ...path, subscriptionId: (await call('createSubscription', { path, body })).id };
    };
    const [running, unpaid] = [await add(1), await add(2)];
    await until('2026-03-01T13:00:00.000Z');
    const webhooks = () => call('listWebhooks', {});
    const people = async () => [await call('listCustomers', {}), await customer()];
    const customer = () => call('getCustomer', { path });
    const used = { ...TERMS, products: [{ id, version: 1 }] };
    const hook = { ...HOOK, enabled: false };
    const ending = { ...TERMS, status: 'inactive' };
    const writes: readonly Write[] = [
      {
        ...{ operation: 'updateWebhook', path: { webhookId }, right: hook },
        ...{ wrong: [...HOOKS, { enabled: 1 }], read: webhooks },
      },
      { operation: 'updateCustomer', path, right: ADA, wrong: [...PEOPLE, ODD], read: people },
      {
        ...{ operation: 'updateSubscription', path: running, right: ending },
        ...{ wrong: [...TIMES, ODD], read: customer },
      },
      {
        ...{ operation: 'updateSubscription', path: unpaid, right: TERMS },
        ...{ wrong: [...TIMES, { status: 'active' }], read: customer },
      },
      {
        ...{ operation: 'createSubscription', path, right: used },
        ...{ wrong: [...TIMES, { products: [{ id, version: 3 }] }], read: customer },
      },
    ];
    for (const write of writes) await expectNoChange(call, write);
  },
);

check(
  'X-99',
  {
    requirement: 'R-ERR-28',
    effect: 'E4',
    assumes: 'A-203 A-501 A-502 A-607',
    needs: 'clock.movable',
  },
  'versions of a product, and the product of an unpaid subscription, updated and added to an hour later, with one wrong part beside the right ones, or an unpublished, archived or unknown version → rejected, every field as before',
  async (t) => {
    const { call, until, path } = await aCustomerWorld(t);
    const plan = { name: 'Plan', code: 'plan', prices: FREE, publish: true };
    const { id: productId } = await call('createProduct', { body: plan });
    const of = { productId };
    for (const body of [DRAFT, { ...DRAFT, publish: true }, { prices: FREE, entitlements: [] }])
      await call('createProductVersion', { path: of, body });
    await call('archiveProductVersion', { path: { ...of, version: '3' } });
    const products = [{ id: productId, version: 2 }];
    const { id } = await call('createSubscription', { path, body: { ...ADDRESSES, products } });
    await until('2026-03-01T13:00:00.000Z');
    const versions = async () => [
      await call('listProductVersions', {}),
      await call('getProductVersion', { path: { ...of, version: '4' } }),
      await call('getProduct', { path: of }),
    ];
    const draft = { ...DRAFT, name: 'Other', make_default: true };
    const noVersions = [3, 4, 99, 'no'].map((version) => ({ version }));
    const writes: readonly Write[] = [
      {
        ...{ operation: 'updateSubscriptionProduct', right: { version: 1 } },
        path: { ...path, ...of, subscriptionId: id },
        ...{ wrong: [ODD, ...noVersions], read: () => call('getCustomer', { path }) },
      },
      {
        ...{ operation: 'updateProductVersion', path: { ...of, version: '4' }, right: draft },
        ...{ wrong: [...PARTS, ODD], read: versions },
      },
      {
        ...{ operation: 'createProductVersion', path: of },
        ...{ right: { ...DRAFT, make_default: true }, wrong: PARTS, read: versions },
      },
    ];
    for (const write of writes) await expectNoChange(call, write);
  },
);

type Request = readonly [
  operation: Parameters<WorldCall>[0],
  path: Readonly<Record<string, string>>,
  body: object,
  /** The account of the prepared world by default. */
  actingFor?: string,
];

const START = '2026-03-01T12:00:00.000Z';
const SOON = '2026-03-01T13:00:00.000Z';
const LATER = '2026-03-02T12:00:00.000Z';
const UNHEARD = { unheard_of: 1 };

/** A world with a receiver of the events of the platform, or of an account and of the platform about that account. */
async function aHeardWorld(t: CheckContext, isConnected: boolean) {
  const world = anOwnWorld(t);
  await world('setClock', { body: { mode: 'frozen', now: START } });
  const receiver = await aReceiver(t);
  const { url } = receiver;
  if (!isConnected) return { call: world, readers: [world], receiver, url };
  const { id } = await world('createConnectedAccount', { body: { name: 'Account' } });
  await world('createWebhook', { body: { url, connect: true } });
  const call: WorldCall = (operation, parts, statuses) =>
    world(operation, { actingFor: id, ...parts }, statuses);
  return { call, readers: [call, world], receiver, url };
}

/** A world whose product has no fee in version 1, costs 5 USD a month in 2, is archived as 3 and a draft as 4; another is deleted. */
async function aPreparedWorld(t: CheckContext, isConnected: boolean) {
  const heard = await aHeardWorld(t, isConnected);
  const { call, url } = heard;
  await call('createWebhook', { body: { url } });
  const plan = { name: 'Plan', code: 'plan', prices: FREE, publish: true };
  const { id } = await call('createProduct', { body: plan });
  const path = { productId: id };
  for (const [prices, publish] of [
    [[aFixedPrice()], true],
    [FREE, true],
    [FREE, false],
  ])
    await call('createProductVersion', { path, body: { prices, publish } });
  const other = await call('createProduct', { body: { ...plan, code: 'deleted' } });
  const deleted = { id: other.id as string };
  const { id: customerId } = await call('createCustomer', { body: { name: 'Ada' } });
  const added = async (version: number, isEnded = false, more: object[] = []): Promise<string> => {
    const body = { products: [{ id, version }, ...more], ...ADDRESSES };
    const made = await call('createSubscription', { path: { customerId }, body });
    const of = { customerId, subscriptionId: made.id };
    if (isEnded) await call('updateSubscription', { path: of, body: { status: 'inactive' } });
    return made.id;
  };
  const subscriptions = {
    running: await added(1),
    unpaid: await added(2),
    ended: await added(1, true),
    /** Its version is archived. */
    retired: await added(3, true),
    /** Its second product is deleted. */
    lacking: await added(1, true, [deleted]),
  };
  await call('archiveProductVersion', { path: { ...path, version: '3' } });
  await call('deleteProduct', { path: { productId: deleted.id } });
  return { ...heard, id, customerId, subscriptions };
}

type PreparedWorld = Awaited<ReturnType<typeof aPreparedWorld>>;

/** Requests that are rejected for one part, beside parts that alone would activate, pay or test. */
function refusedIn({ id, customerId, subscriptions }: PreparedWorld) {
  const [free, unknown] = [{ id, version: 1 }, { id: unknownId('prp') }];
  const { running, unpaid, ended, retired, lacking } = subscriptions;
  const of = (subscriptionId: string) => ({ customerId, subscriptionId });
  const moved = { transaction_id: uuid(), asset: 'USD', amount: 1, ...UNHEARD };
  const paid = { customer_id: customerId, amount: 10, currency: 'USD', ...ADDRESSES };
  const event = { id: uuid(), event_type: 'call', occurred_at: START, data: {} };
  const late = { ...event, id: uuid(), occurred_at: '2020-01-01T00:00:00.000Z' };
  const [nobody, topic] = [unknownId('acc'), { topic: TOPIC }];
  const active = { status: 'active' };

  const subscribing: object[] = [
    { products: [unknown] },
    { products: [{ id, version: 3 }] },
    { products: [free, unknown], starts_at: SOON },
    { products: [free, free] },
    { products: [{ id, version: 2 }] },
  ];
  const creating: object[] = [
    { subscriptions: [{ products: [free] }, { products: [free, unknown] }] },
    { subscriptions: [{ products: [free] }], email: 'nobody' },
  ];
  const updating: (readonly [string, object])[] = [
    [unpaid, active],
    [retired, active],
    [lacking, active],
    [ended, { ...active, return_url: 'nowhere' }],
  ];
  const requests: Request[] = [
    ...subscribing.map((body) => ['createSubscription', { customerId }, body] as const),
    ...creating.map((body) => ['createCustomer', {}, { name: 'Refused', ...body }] as const),
    ...updating.map(([one, body]) => ['updateSubscription', of(one), body] as const),
    ['updateSubscriptionProduct', { ...of(running), productId: id }, { version: 3 }],
    ['createTopUp', {}, { ...paid, amount: -1 }],
    ['chargeWallet', { customerId }, moved],
    ['submitEvents', {}, { customer_id: customerId, events: [event, late] }],
    ['testWebhooks', { topic: 'contract.unheard_of' }, {}],
    ['testWebhook', { ...topic, webhookId: unknownId('dst') }, {}],
    ['testConnectedWebhooks', { ...topic, connectedAccountId: nobody }, {}],
    ['createSubscription', { customerId }, { products: [free] }, nobody],
    ['updateSubscription', of(ended), active, nobody],
  ];
  return requests;
}

/** Sends the rejected requests, then one that is accepted. Expects that only this one has an effect, also a day later. */
async function expectNoEffects(t: CheckContext, isConnected: boolean): Promise<void> {
  const prepared = await aPreparedWorld(t, isConnected);
  const { call, readers, receiver, customerId, id } = prepared;
  const logs = async () => {
    const all: (readonly AnyBody[])[] = [];
    for (const read of readers) all.push((await read('listWebhookEvents', {})).items);
    return all;
  };
  const idsOf = (all: readonly (readonly AnyBody[])[]) =>
    all.map((items) => items.map((one) => one.id as string));
  const state = async () => [
    await call('getCustomer', { path: { customerId } }),
    (await call('listCustomers', {})).total_count,
  ];
  const [before, shown] = [idsOf(await logs()), await state()];
  for (const [operation, path, body, actingFor] of refusedIn(prepared)) {
    const parts = { path, body, ...(actingFor !== undefined && { actingFor }) };
    await call(operation, parts, actingFor === undefined ? [400, 404, 409, 422] : [401]);
  }
  expect(idsOf(await logs())).toEqual(before);
  expect(await state()).toEqual(shown);
  const products = [{ id, version: 1 }];
  const made = await call('createSubscription', { path: { customerId }, body: { products } });
  await call('advanceClock', { body: { to: LATER } });
  await receiver.next(({ body }) => body?.data?.subscription_id === made.id);
  const after = await logs();
  const newest = after[0]?.[0] as AnyBody;

  expect(newest.data.subscription_id).toBe(made.id);
  expect(idsOf(after)).toEqual(before.map((ids) => [newest.id, ...ids]));
  const delivered = new Set(receiver.deliveries.map(({ body }) => body?.id));
  expect(delivered).toEqual(new Set([newest.id, ...before.flat()]));
}

for (const [id, owner, isConnected] of [
  ['WHK-84', 'the platform', false],
  ['WHK-110', 'a connected account', true],
] as const)
  check(
    id,
    {
      requirement: 'R-WHK-35',
      effect: 'E4',
      assumes: 'A-203 A-605 A-606 A-607 A-1202',
      needs: 'clock.movable receiver',
    },
    `requests of ${owner} rejected for one part or another by every operation that can activate, pay or test, beside parts that alone would fire, then an accepted one, and a day → only its event is in the log and delivered, the customer unchanged`,
    (t) => expectNoEffects(t, isConnected),
  );
