import {
  ADDRESSES,
  aFixedPrice,
  anOwnWorld,
  aReceiver,
  aUnitPrice,
  check,
  describe,
  eventually,
  expect,
  signatureFault,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ODD_DATA, signersOf, TOPIC } from './shared/webhooks.ts';

const NOON = '2026-03-01T12:00:00.000Z';

interface Item {
  readonly data: { readonly occurred_at: string };
}

async function aDestination(call: WorldCall, url: string) {
  const { id, secret } = await call('createWebhook', { body: { url, topics: [TOPIC] } });
  const dispatch = async (): Promise<string> =>
    (
      await call('testWebhook', {
        path: { webhookId: id, topic: TOPIC },
        raw: ODD_DATA,
      })
    ).id;
  return { id, secret, dispatch };
}

describe('webhook deliveries over days', () => {
  check(
    'WHK-62',
    {
      requirement: 'R-WHK-57',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1204',
      needs: ['clock.movable', 'receiver'],
    },
    'delivery that always fails → attempted ten times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and never again, each time with the same bytes and a valid signature',
    async (t) => {
      const { call, until } = await aCustomerWorld(t);
      const receiver = await aReceiver(t);
      receiver.react(500);
      const destination = await aDestination(call, receiver.url);
      const event = await destination.dispatch();
      const attempts = async (): Promise<readonly { at: string }[]> =>
        (await call('listWebhookEvents', {})).items.find(({ id }: { id: string }) => id === event)
          ?.metadata?.attempts ?? [];
      await eventually(attempts, (found) => found.length > 0);
      await until('2026-03-31T12:00:00.000Z');

      expect((await attempts()).map(({ at }) => at)).toEqual([
        '2026-03-01T12:00:00.000Z',
        '2026-03-01T12:00:05.000Z',
        '2026-03-01T12:05:05.000Z',
        '2026-03-01T12:35:05.000Z',
        '2026-03-01T14:35:05.000Z',
        '2026-03-01T19:35:05.000Z',
        '2026-03-02T05:35:05.000Z',
        '2026-03-02T19:35:05.000Z',
        '2026-03-03T15:35:05.000Z',
        '2026-03-04T15:35:05.000Z',
      ]);
      expect(receiver.deliveries.length).toBe(10);
      expect(new Set(receiver.deliveries.map(({ raw }) => raw.toString())).size).toBe(1);
      for (const each of receiver.deliveries)
        expect(signersOf(each, [destination])).toHaveLength(1);
    },
  );

  check(
    'WHK-64',
    {
      requirement: ['R-SUB-41', 'R-WHK-43', 'R-WHK-44'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-606', 'A-605'],
      needs: ['clock.movable', 'receiver'],
    },
    'usage-based and monthly subscriptions ended and reactivated, and one whose renewal was declined and is paid, with a test key and with a live one → each activation carries its own time, in the delivery and in the log, and live by the key',
    async (t) => {
      for (const environment of ['test', 'live'] as const)
        for (const [price, declines, again] of [
          [aUnitPrice('call', 1), false, '2026-03-20T12:00:00.000Z'],
          [aFixedPrice(5), false, '2026-03-20T12:00:00.000Z'],
          [aFixedPrice(5), true, '2026-04-03T09:00:00.000Z'],
        ] as const) {
          const world = await aCustomerWorld(t, NOON, environment);
          const { call, path, until } = world;
          const receiver = await aReceiver(t);
          await aDestination(call, receiver.url);
          const id = await world.subscribe([price], [], declines);
          const set = (status: string) =>
            call('updateSubscription', { path: { ...path, subscriptionId: id }, body: { status } });
          await until('2026-03-10T12:00:00.000Z');
          if (!declines) await set('inactive');
          await until(again);
          if (declines)
            await call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
          else await set('active');
          await receiver.next(({ body }) => body.created > NOON);
          const { items } = await call('listWebhookEvents', {});
          const live = { live_mode: environment === 'live' };
          const told = [NOON, again].map((occurred_at) => ({
            ...{ id: expect.stringMatching(/^evt_/), type: TOPIC, created: occurred_at, ...live },
            data: { customer_id: path.customerId, subscription_id: id, occurred_at },
          }));

          expect(receiver.deliveries.map(({ body }) => body)).toEqual(told);
          expect(items.map(({ data }: Item) => data.occurred_at)).toEqual([again, NOON]);
        }
    },
  );

  check(
    'WHK-63',
    {
      requirement: 'R-SIG-11',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1208',
      needs: ['clock.movable', 'receiver'],
    },
    'secret rotated → for 24 hours both sign, the new one first; then the new one alone',
    async (t) => {
      const { call, until } = await aCustomerWorld(t);
      const receiver = await aReceiver(t);
      const { id, secret: former, dispatch } = await aDestination(call, receiver.url);
      const { secret } = await call('rotateSecret', { body: { destination_id: id } });
      const genuineBy = async () => {
        const event = await dispatch();
        const { signature, raw } = await receiver.next(({ body }) => body.id === event);
        const header = signature ?? '';
        const unixSeconds = Number(/^t=(\d+)/.exec(header)?.[1]);
        const isBy = (key: string, which: string) =>
          signatureFault({ header: which, body: raw, unixSeconds, secret: key }) === undefined;
        const [time, first, ...others] = header.split(',');
        return [1 + others.length, isBy(secret, `${time},${first}`), isBy(former, header)];
      };

      expect(await genuineBy()).toEqual([2, true, true]);
      await until('2026-03-02T11:59:59.999Z');
      expect(await genuineBy()).toEqual([2, true, true]);
      await until('2026-03-02T12:00:00.000Z');
      expect(await genuineBy()).toEqual([1, true, false]);
    },
  );
});

const [START, PAYMENT] = ['2026-03-05T00:00:00.000Z', '2026-03-08T09:30:00.000Z'];

/** Plans that become active at once, or later: at their start, by a payment, or by a payment before their start. */
const PLANS = [
  { price: aUnitPrice('call', 1), terms: {}, active_at: NOON },
  { price: aUnitPrice('call', 1), terms: { starts_at: START }, active_at: START },
  { price: aFixedPrice(5), terms: ADDRESSES, active_at: PAYMENT },
  {
    price: aFixedPrice(5),
    terms: { ...ADDRESSES, starts_at: '2026-03-20T00:00:00.000Z' },
    active_at: PAYMENT,
  },
];

describe('webhook events of activations at once and later', () => {
  /** Subscribes a new customer to each plan. Returns the expected data of each activation event. */
  async function subscribeAll(call: WorldCall, who: { readonly actingFor?: string }) {
    const { id: customer_id } = await call('createCustomer', { body: { name: 'Ada' }, ...who });
    const told = [];
    for (const [index, { price, terms, active_at }] of PLANS.entries()) {
      const plan = { name: 'Plan', code: `plan-${index}`, prices: [price], publish: true };
      const { id } = await call('createProduct', { body: plan, ...who });
      const body = { products: [{ id }], ...terms };
      const path = { customerId: customer_id };
      const subscription = await call('createSubscription', { path, body, ...who });
      told.push({ customer_id, subscription_id: subscription.id, occurred_at: active_at });
    }
    return told;
  }

  check(
    'WHK-69',
    {
      requirement: ['R-WHK-35', 'R-WHK-42', 'R-WHK-43', 'R-WHK-44', 'R-WHK-55'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-603', 'A-1206'],
      needs: ['clock.movable', 'receiver'],
    },
    'subscriptions of the platform and of a connected account that start at once, start later, are paid later, and are paid before their start, with a test key and with a live one → one envelope each, created when it became active, live_mode by the key',
    async (t) => {
      for (const environment of ['test', 'live'] as const) {
        const call = anOwnWorld(t, environment);
        await call('setClock', { body: { mode: 'frozen', now: NOON } });
        const account = { body: { name: 'Connected' } };
        const { id: account_id } = await call('createConnectedAccount', account);
        const owner = { actingFor: account_id };
        const [platform, connect, own] = [
          await aReceiver(t),
          await aReceiver(t),
          await aReceiver(t),
        ];
        await call('createWebhook', { body: { url: platform.url } });
        await call('createWebhook', { body: { url: connect.url, connect: true } });
        await call('createWebhook', { body: { url: own.url }, ...owner });
        const [ours, theirs] = [await subscribeAll(call, {}), await subscribeAll(call, owner)];
        await call('advanceClock', { body: { to: '2026-03-06T00:00:00.000Z' } });
        await call('advanceClock', { body: { to: PAYMENT } });
        for (const [told, who] of [
          [ours, {}],
          [theirs, owner],
        ] as const)
          for (const { subscription_id: id } of told.slice(2))
            await call('settlePayment', { path: { id }, body: { outcome: 'succeeded' }, ...who });

        for (const [receiver, told, more] of [
          [platform, ours, {}],
          [connect, theirs, { account_id }],
          [own, theirs, {}],
        ] as const) {
          const last = told.at(-1)?.subscription_id;
          await receiver.next(({ body }) => body?.data?.subscription_id === last);
          expect(receiver.deliveries.map(({ body }) => body)).toEqual(
            told.map((data) => ({
              ...{ id: expect.stringMatching(/^evt_/), type: TOPIC, created: data.occurred_at },
              ...{ live_mode: environment === 'live', data, ...more },
            })),
          );
        }
      }
    },
  );
});
