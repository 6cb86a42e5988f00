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
];

const START = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-02T12:00:00.000Z';
const UNHEARD = { unheard_of: 1 };
const FREE = [aUnitPrice('call')];

/** A world whose product has no fee in versions 1 and 3, costs 5 USD a month in 2, is archived as 4 and a draft as 5. */
async function anEstate(t: CheckContext) {
  const call = anOwnWorld(t);
  await call('setClock', { body: { mode: 'frozen', now: START } });
  const receiver = await aReceiver(t);
  const { id: webhookId } = await call('createWebhook', { body: { url: receiver.url } });
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
  return { call, receiver, webhookId, id, customerId, subscriptions };
}

type Estate = Awaited<ReturnType<typeof anEstate>>;

/** Subscriptions that are refused, each for another reason. */
function refusedSubscriptions({ id }: Estate): readonly object[] {
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

function refusedCustomers(estate: Estate): readonly Request[] {
  const free = { products: [{ id: estate.id, version: 1 }] };
  const soon = { ...free, starts_at: '2026-03-01T13:00:00.000Z' };
  const wrong = refusedSubscriptions(estate);
  const bodies = [
    ...wrong.flatMap((one) => [{ subscriptions: [free, one] }, { subscriptions: [one, free] }]),
    ...[{ external_id: 'ada' }, { email: 'nobody' }, { name: null }, UNHEARD].map((one) => ({
      subscriptions: [free, soon],
      ...one,
    })),
  ];
  return bodies.map((body) => ['createCustomer', {}, { name: 'Refused', ...body }]);
}

function refusedUpdates({ id, customerId, subscriptions }: Estate): readonly Request[] {
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
  ];
}

function refusedMovements({ customerId }: Estate): readonly Request[] {
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

function refusedTests({ webhookId }: Estate): readonly Request[] {
  const connectedAccountId = unknownId('acc');
  return [
    ['testWebhooks', { topic: 'contract.unheard_of' }, {}],
    ['testWebhook', { webhookId, topic: 'contract.unheard_of' }, {}],
    ['testWebhook', { webhookId: unknownId('dst'), topic: TOPIC }, {}],
    ['testConnectedWebhooks', { topic: TOPIC, connectedAccountId }, {}],
    ['testConnectedWebhook', { webhookId, topic: TOPIC, connectedAccountId }, {}],
  ];
}

const refusedIn = (estate: Estate): readonly Request[] => [
  ...refusedCustomers(estate),
  ...[estate.customerId, unknownId('cust')].flatMap((customerId) =>
    refusedSubscriptions(estate).map(
      (body): Request => ['createSubscription', { customerId }, body],
    ),
  ),
  ...refusedUpdates(estate),
  ...refusedMovements(estate),
  ...refusedTests(estate),
];

describe('effects of rejected requests', () => {
  // WHK-84: requests rejected for one part or another by every operation that can activate, pay or test, beside parts that
  // alone would fire, then an accepted one, and a day → only its event is in the log and delivered, the customer unchanged
  check('WHK-84', async (t) => {
    const estate = await anEstate(t);
    const { call, receiver, customerId, id } = estate;
    const log = async (): Promise<readonly AnyBody[]> =>
      (await call('listWebhookEvents', { query: { limit: 1000 } })).items;
    const state = async () => [
      await call('getCustomer', { path: { customerId } }),
      await call('getWallet', { path: { customerId } }),
      (await call('listCustomers', {})).total_count,
    ];
    const [before, shown] = [(await log()).map((one) => one.id), await state()];
    for (const [operation, path, body] of refusedIn(estate))
      await call(operation, { path, body }, [400, 404, 422]);

    expect((await log()).map((one) => one.id)).toEqual(before);
    expect(await state()).toEqual(shown);
    const made = await call('createSubscription', {
      path: { customerId },
      body: { products: [{ id, version: 1 }] },
    });
    await call('advanceClock', { body: { to: LATER } });
    await receiver.next(({ body }) => body?.data?.subscription_id === made.id);
    const [newest, ...rest] = await log();
    const delivered = new Set(receiver.deliveries.map(({ body }) => body?.id));

    expect(newest.data.subscription_id).toBe(made.id);
    expect(rest.map((one) => one.id)).toEqual(before);
    expect(delivered).toEqual(new Set([newest.id, ...before]));
  });
});
