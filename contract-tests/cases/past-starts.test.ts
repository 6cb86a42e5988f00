import {
  ADDRESSES,
  aFixedPrice,
  anOwnWorld,
  aReceiver,
  aUnitPrice,
  check,
  describe,
  expect,
  type WorldCall,
} from '../kit/index.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { TOPIC } from './shared/webhooks.ts';

/** The start as sent and as returned, then the instants of the request, of the payment and of the renewals. */
const ASKED = '2026-01-20T08:30:00+02:00';
const START = '2026-01-20T06:30:00.000Z';
const NOW = '2026-03-01T12:00:00.000Z';
const PAID = '2026-03-05T09:00:00.000Z';
const [RENEWAL, NEXT_RENEWAL] = ['2026-03-10T12:00:00.000Z', '2026-03-19T12:00:00.000Z'];

const lifecycle = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
const PLANS = [aUnitPrice('call', 1), aUnitPrice('other', 1), aFixedPrice(5)].map(
  (price, index) => ({
    name: 'Plan',
    code: `plan-${index}`,
    prices: [price],
    entitlements: [{ ...ENTITLEMENT, amount: index + 1, lifecycle }],
    publish: true,
  }),
);

interface Who {
  readonly actingFor?: string;
}

/** Creates a customer with a subscription to the first plan, and adds the others. Returns them as in the responses. */
async function subscribeToAll(call: WorldCall, who: Who) {
  const products: string[] = [];
  for (const body of PLANS) products.push((await call('createProduct', { body, ...who })).id);
  const from = (index: number, terms: object = {}) => ({
    products: [{ id: products[index] }],
    starts_at: ASKED,
    ...terms,
  });
  const customer = { body: { name: 'Ada', subscriptions: [from(0)] }, ...who };
  const { id: customerId, subscriptions } = await call('createCustomer', customer);
  const path = { customerId };
  const add = (body: object) => call('createSubscription', { path, body, ...who });
  subscriptions.push(await add(from(1, { ...ADDRESSES, renews_at: RENEWAL })));
  subscriptions.push(await add(from(2, ADDRESSES)));
  const shown = () => call('getCustomer', { path, ...who });
  expect(await shown()).toMatchObject({ created_at: NOW, subscriptions });
  return { path, products, subscriptions, shown };
}

/** Creation, start and end of each grant of a customer, by its amount. */
async function creditOf(call: WorldCall, path: { readonly customerId: string }, who: Who) {
  const place = { path: { ...path, accountId: 'default:USD' }, ...who };
  const { items } = await call('listGrants', place);
  return Object.fromEntries(
    items.map((item: Record<string, unknown>) => [
      item['available'],
      [item['created_at'], item['effective_at'], item['expires_at']],
    ]),
  );
}

const timesOf = ({ status, started_at, renews_at }: Record<string, unknown>) => [
  status,
  started_at,
  renews_at,
];

/** Checks all times after request, payment and renewal. Returns the expected data of the activation events. */
async function expectTimes(call: WorldCall, who: Who): Promise<readonly { occurred_at: string }[]> {
  const { path, products, subscriptions, shown } = await subscribeToAll(call, who);
  const times = async () => (await shown()).subscriptions.map(timesOf);
  expect(subscriptions.map(timesOf)).toEqual([
    ['active', START, undefined],
    ['active', START, RENEWAL],
    ['action_required', undefined, undefined],
  ]);
  const first = [NOW, NOW, '2026-04-01T12:00:00.000Z'];
  expect(await creditOf(call, path, who)).toEqual({ 1: first, 2: first });

  await call('advanceClock', { body: { to: PAID } });
  const [, , { id }] = subscriptions;
  await call('settlePayment', { path: { id }, body: { outcome: 'succeeded' }, ...who });
  const [free, paid] = [
    ['active', START, undefined],
    ['active', PAID, '2026-04-05T09:00:00.000Z'],
  ];
  expect(await times()).toEqual([free, ['active', START, RENEWAL], paid]);
  const later = [PAID, PAID, '2026-04-05T09:00:00.000Z'];
  expect(await creditOf(call, path, who)).toEqual({ 1: first, 2: first, 3: later });

  await call('advanceClock', { body: { to: RENEWAL } });
  expect(await times()).toEqual([free, ['active', START, NEXT_RENEWAL], paid]);
  for (const [index, started_at] of [START, START, PAID].entries()) {
    const subscribers = { path: { productId: products[index] as string }, ...who };
    expect((await call('listSubscribers', subscribers)).items).toMatchObject([{ started_at }]);
  }
  return [NOW, NOW, PAID].map((occurred_at, index) => {
    const { id: subscription_id } = subscriptions[index];
    return { customer_id: path.customerId, subscription_id, occurred_at };
  });
}

describe('subscriptions that start in the past', () => {
  check(
    'SUB-66',
    {
      requirement: ['R-SUB-55', 'R-WHK-43', 'R-WHK-44'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-603', 'A-605', 'A-511'],
      needs: ['clock.movable', 'receiver'],
    },
    'three plans from a start in the past, free, with a renewal asked for and with a fee paid later, of the platform with a test key and of a connected account with a live one → free ones started then, the other as it was paid; renewals, credit, envelopes and the log by the moment of the request or payment',
    async (t) => {
      for (const environment of ['test', 'live'] as const) {
        const call = anOwnWorld(t, environment);
        const account = { body: { name: 'Connected' } };
        const { id: actingFor } = await call('createConnectedAccount', account);
        const who = environment === 'live' ? { actingFor } : {};
        await call('setClock', { body: { mode: 'frozen', now: NOW } });
        const receiver = await aReceiver(t);
        await call('createWebhook', { body: { url: receiver.url }, ...who });
        const told = await expectTimes(call, who);
        await receiver.next(({ body }) => body?.created === PAID);
        const { items } = await call('listWebhookEvents', who);

        expect(receiver.deliveries.map(({ body }) => body)).toEqual(
          told.map((data) => ({
            ...{ id: expect.stringMatching(/^evt_/), type: TOPIC, created: data.occurred_at },
            ...{ live_mode: environment === 'live', data },
          })),
        );
        expect(items.map(({ time, data }: { time: string; data: object }) => [time, data])).toEqual(
          told.map((data) => [data.occurred_at, data]).reverse(),
        );
      }
    },
  );
});
