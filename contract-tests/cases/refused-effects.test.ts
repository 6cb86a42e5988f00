import {
  ADDRESSES,
  type AnyBody,
  aFixedPrice,
  anOwnWorld,
  aReceiver,
  aUnitPrice,
  type CheckContext,
  check,
  describe,
  expect,
  unknownId,
  uuid,
  type WorldCall,
} from '../kit/index.ts';
import { TOPIC } from './shared/webhooks.ts';

type Request = readonly [
  operation: Parameters<WorldCall>[0],
  path: Readonly<Record<string, string>>,
  body: object,
  /** The account of the prepared world by default. */
  actingFor?: string,
];

const START = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-02T12:00:00.000Z';
const UNHEARD = { unheard_of: 1 };
const FREE = [aUnitPrice('call')];

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

/** A world whose product has no fee in versions 1 and 3, costs 5 USD a month in 2, is archived as 4 and a draft as 5. */
async function aPreparedWorld(t: CheckContext, isConnected: boolean) {
  const heard = await aHeardWorld(t, isConnected);
  const { call, url } = heard;
  const { id: webhookId } = await call('createWebhook', { body: { url } });
  const product = async (code: string) =>
    (await call('createProduct', { body: { name: code, code, prices: FREE, publish: true } })).id;
  const [id, retired] = [await product('plan'), await product('retired')];
  const path = { productId: id };
  for (const [prices, publish] of [
    [[aFixedPrice()], true],
    [FREE, true],
    [FREE, true],
    [FREE, false],
  ])
    await call('createProductVersion', { path, body: { prices, publish } });
  await call('archiveProductVersion', { path: { ...path, version: '4' } });
  const customer = { name: 'Ada', external_id: 'ada' };
  const { id: customerId } = await call('createCustomer', { body: customer });
  const added = async (products: readonly object[], end = false): Promise<string> => {
    const body = { products, ...ADDRESSES };
    const made = await call('createSubscription', { path: { customerId }, body });
    const of = { customerId, subscriptionId: made.id };
    if (end) await call('updateSubscription', { path: of, body: { status: 'inactive' } });
    return made.id;
  };
  const subscriptions = {
    running: await added([{ id, version: 1 }]),
    unpaid: await added([{ id, version: 2 }]),
    ended: await added([{ id, version: 3 }], true),
    retired: await added([{ id: retired, version: 1 }], true),
  };
  await call('archiveProductVersion', { path: { productId: retired, version: '1' } });
  return { ...heard, webhookId, id, customerId, subscriptions };
}

type PreparedWorld = Awaited<ReturnType<typeof aPreparedWorld>>;

/** Subscriptions that are refused, each for another reason. */
function refusedSubscriptions({ id }: PreparedWorld): readonly object[] {
  const of = (...products: object[]) => ({ products });
  const [free, unknown] = [{ id, version: 1 }, { id: unknownId('prp') }];
  return [
    ...[unknown, { id, version: 99 }, { id, version: 4 }, { id, version: 5 }].map((one) => of(one)),
    ...[of(free, unknown), of(free, free), of({ id, version: 2 }), of({}), of()],
    { ...of(free), ...ADDRESSES, renews_at: '2026-02-01T00:00:00.000Z' },
    { ...of(free), renews_at: '2026-04-01T00:00:00.000Z' },
    { ...of(free), ...UNHEARD },
    { ...of(free), starts_at: 'tomorrow' },
    { ...of(free, unknown), starts_at: '2026-03-01T13:00:00.000Z' },
  ];
}

function refusedCustomers(prepared: PreparedWorld): readonly Request[] {
  const free = { products: [{ id: prepared.id, version: 1 }] };
  const soon = { ...free, starts_at: '2026-03-01T13:00:00.000Z' };
  const wrong = refusedSubscriptions(prepared);
  const bodies = [
    ...wrong.flatMap((one) => [{ subscriptions: [free, one] }, { subscriptions: [one, free] }]),
    ...[{ external_id: 'ada' }, { email: 'nobody' }, { name: null }, UNHEARD].map((one) => ({
      subscriptions: [free, soon],
      ...one,
    })),
  ];
  return bodies.map((body) => ['createCustomer', {}, { name: 'Refused', ...body }]);
}

function refusedUpdates({ id, customerId, subscriptions }: PreparedWorld): readonly Request[] {
  const { running, unpaid, ended, retired } = subscriptions;
  const of = (subscriptionId: string, productId?: string) =>
    productId === undefined
      ? { customerId, subscriptionId }
      : { customerId, subscriptionId, productId };
  const active = { status: 'active' };
  const terms: readonly (readonly [string, object])[] = [
    ...[unpaid, retired, unknownId('sub')].map((one) => [one, active] as const),
    [ended, { ...active, renews_at: '2026-02-01T00:00:00.000Z' }],
    ...[ended, running].map((one) => [one, { ...active, ...UNHEARD }] as const),
    ...[ended, running].map((one) => [one, { ...active, return_url: 'nowhere' }] as const),
    [running, { status: 'paused' }],
  ];
  const versions = [99, 4, 5, 'newest', null].map((version) => ({ version }));
  return [
    ...terms.map(([one, body]): Request => ['updateSubscription', of(one), body]),
    ...[...versions, { version: 1, ...UNHEARD }].flatMap((body) =>
      [unpaid, running].map((one): Request => ['updateSubscriptionProduct', of(one, id), body]),
    ),
    ['updateSubscriptionProduct', of(unpaid, unknownId('prp')), { version: 1 }],
    ['updateSubscriptionProduct', of(unknownId('sub'), id), { version: 1 }],
    ['updateProductVersion', { productId: id, version: '1' }, { prices: FREE, publish: true }],
  ];
}

function refusedMovements({ customerId }: PreparedWorld): readonly Request[] {
  const paid = { customer_id: customerId, amount: 10, currency: 'USD', ...ADDRESSES };
  const moved = { transaction_id: uuid(), asset: 'USD', amount: 1, ...UNHEARD };
  const event = { id: uuid(), event_type: 'call', occurred_at: START, data: {} };
  const late = { ...event, id: uuid(), occurred_at: '2020-01-01T00:00:00.000Z' };
  return [
    ['createTopUp', {}, { ...paid, amount: -1 }],
    ['createTopUp', {}, { ...paid, customer_id: unknownId('cust') }],
    ['chargeWallet', { customerId }, moved],
    ['adjustWallet', { customerId }, { ...moved, reason: 'gift' }],
    ['submitEvents', {}, { customer_id: customerId, events: [event, late] }],
    ['updateCustomer', { customerId }, { name: 'Other', ...UNHEARD }],
  ];
}

function refusedTests({ webhookId }: PreparedWorld): readonly Request[] {
  const connectedAccountId = unknownId('acc');
  return [
    ['testWebhooks', { topic: 'contract.unheard_of' }, {}],
    ['testWebhook', { webhookId, topic: 'contract.unheard_of' }, {}],
    ['testWebhook', { webhookId: unknownId('dst'), topic: TOPIC }, {}],
    ['testConnectedWebhooks', { topic: TOPIC, connectedAccountId }, {}],
    ['testConnectedWebhook', { webhookId, topic: TOPIC, connectedAccountId }, {}],
  ];
}

/** Requests that would fire, for an account that does not exist. */
const refusedAccounts = ({
  id,
  customerId,
  subscriptions,
  webhookId,
}: PreparedWorld): Request[] => {
  const [topic, subscription] = [{ topic: TOPIC }, { products: [{ id, version: 1 }] }];
  const ended = { customerId, subscriptionId: subscriptions.ended };
  const requests: readonly Request[] = [
    ['testWebhooks', topic, {}],
    ['testWebhook', { ...topic, webhookId }, {}],
    ['createSubscription', { customerId }, subscription],
    ['createCustomer', {}, { name: 'Refused', subscriptions: [subscription] }],
    ['updateSubscription', ended, { status: 'active' }],
  ];
  return requests.map((request) => [...request, unknownId('acc')] as never);
};

const refusedIn = (prepared: PreparedWorld): readonly Request[] => [
  ...refusedCustomers(prepared),
  ...[prepared.customerId, unknownId('cust')].flatMap((customerId) =>
    refusedSubscriptions(prepared).map(
      (body): Request => ['createSubscription', { customerId }, body],
    ),
  ),
  ...refusedUpdates(prepared),
  ...refusedMovements(prepared),
  ...refusedTests(prepared),
  ...refusedAccounts(prepared),
];

/** Makes the requests that are rejected, then one that is accepted, and expects the event of this one alone. */
async function expectOneEvent(t: CheckContext, isConnected: boolean) {
  const prepared = await aPreparedWorld(t, isConnected);
  const { call, readers, receiver, customerId, id } = prepared;
  const logs = (): Promise<readonly (readonly AnyBody[])[]> =>
    Promise.all(
      readers.map(
        async (read) => (await read('listWebhookEvents', { query: { limit: 1000 } })).items,
      ),
    );
  const ids = async () => (await logs()).map((items) => items.map((one) => one.id));
  const state = async () => [
    await call('getCustomer', { path: { customerId } }),
    await call('getWallet', { path: { customerId } }),
    (await call('listCustomers', {})).total_count,
  ];
  const [before, shown] = [await ids(), await state()];
  for (const [operation, path, body, actingFor] of refusedIn(prepared)) {
    const parts = { path, body, ...(actingFor !== undefined && { actingFor }) };
    await call(operation, parts, actingFor === undefined ? [400, 404, 409, 422] : [401]);
  }
  expect(await ids()).toEqual(before);
  expect(await state()).toEqual(shown);
  const products = [{ id, version: 1 }];
  const made = await call('createSubscription', { path: { customerId }, body: { products } });
  await call('advanceClock', { body: { to: LATER } });
  await receiver.next(({ body }) => body?.data?.subscription_id === made.id);
  const newest = (await logs()).map(([first]) => first);
  const delivered = new Set(receiver.deliveries.map(({ body }) => body?.id));

  expect(new Set(newest.map((one) => one.data.subscription_id))).toEqual(new Set([made.id]));
  expect(await ids()).toEqual(before.map((items) => [newest[0].id, ...items]));
  expect(delivered).toEqual(new Set([newest[0].id, ...before.flat()]));
}

describe('effects of rejected requests', () => {
  check(
    'WHK-84',
    {
      requirement: 'R-WHK-35',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-203', 'A-605', 'A-606', 'A-607', 'A-1202'],
      needs: ['clock.movable', 'receiver'],
    },
    'requests rejected for one part or another by every operation that can activate, pay or test, beside parts that alone would fire, then an accepted one, and a day → only its event is in the log and delivered, the customer unchanged',
    async (t) => {
      for (const isConnected of [false, true]) await expectOneEvent(t, isConnected);
    },
  );
});
