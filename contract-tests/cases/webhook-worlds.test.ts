import {
  ADDRESSES,
  type AnyBody,
  aFixedPrice,
  anOwnWorld,
  aReceiver,
  aUnitPrice,
  blackHole,
  type CheckContext,
  check,
  expect,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { TOPIC, TOPIC_LISTS } from './shared/webhooks.ts';

const PLACES = ['platform', 'connect', 'own'] as const;

/** Test events: the operation, its destination, whether `of` or `for` a connected account, and who receives them. */
const DISPATCHES = [
  { by: 'testWebhooks', heard: ['platform'] },
  { by: 'testWebhook', to: 'platform', heard: ['platform'] },
  { by: 'testConnectedWebhooks', isOf: true, heard: ['connect', 'own'] },
  { by: 'testConnectedWebhook', to: 'connect', isOf: true, heard: ['connect'] },
  { by: 'testWebhooks', isFor: true, heard: ['connect', 'own'] },
  { by: 'testWebhook', to: 'own', isFor: true, heard: ['own'] },
  { by: 'testConnectedWebhook', to: 'connect', isOf: true, heard: ['connect'] },
  { by: 'testWebhook', to: 'platform', heard: ['platform'] },
] as const;

const CREATED = '2026-03-01T12:00:00.000Z';

/** A world with a connected account and three destinations, as in `PLACES`. */
async function threePlaces(t: CheckContext, environment: 'test' | 'live') {
  const call = anOwnWorld(t, environment);
  await call('setClock', { body: { mode: 'frozen', now: CREATED } });
  const { id: account_id } = await call('createConnectedAccount', { body: { name: 'Contract' } });
  const account = { actingFor: account_id as string };
  const places = [];
  for (const place of PLACES) {
    const receiver = await aReceiver(t);
    const owner = place === 'own' ? account : {};
    const body = { url: receiver.url, connect: place === 'connect' };
    const { id } = await call('createWebhook', { body, ...owner });
    places.push({ place, receiver, owner, id: id as string });
  }
  return { call, places, account };
}

/** Subscribes a new customer to a free plan. Returns the data of the activation. */
async function activate(call: WorldCall, who: object): Promise<object> {
  const plan = { name: 'Plan', code: 'plan', prices: [aUnitPrice('call')], publish: true };
  const { id } = await call('createProduct', { body: plan, ...who });
  const { id: customerId } = await call('createCustomer', { body: { name: 'Ada' }, ...who });
  const parts = { path: { customerId }, body: { products: [{ id }] }, ...who };
  const { id: subscription_id } = await call('createSubscription', parts);
  return { customer_id: customerId, subscription_id, occurred_at: CREATED };
}

check(
  'WHK-76',
  {
    requirement: 'R-AUTH-06 R-WHK-42 R-WHK-43 R-WHK-55',
    effect: 'E4',
    assumes: 'A-103 A-1206 A-1207',
    needs: 'clock.movable receiver',
  },
  'test events by each dispatch, and activations, of the platform, of a connected account and asked for by that account, with a test key and with a live one → the envelope of each to whom it is for alone, live by the key, with the account where the platform hears of it, and an item in the log',
  async (t) => {
    for (const environment of ['test', 'live'] as const) {
      const { call, places, account } = await threePlaces(t, environment);
      const sent: { id: unknown; data: object; heard: readonly string[] }[] = [];
      for (const [index, { by, heard, ...how }] of DISPATCHES.entries()) {
        const webhookId = 'to' in how && places.find(({ place }) => place === how.to)?.id;
        const path = {
          topic: TOPIC,
          ...(webhookId && { webhookId }),
          ...('isOf' in how && { connectedAccountId: account.actingFor }),
        };
        const data = { sent: index };
        const parts = { path, body: data, ...('isFor' in how && account) };
        sent.push({ id: (await call(by, parts, [202])).id, data, heard });
      }
      for (const [who, heard] of [
        [{}, ['platform']],
        [account, ['connect', 'own']],
      ] as const)
        sent.push({ id: expect.stringMatching(/^evt_/), data: await activate(call, who), heard });

      for (const { place, receiver, owner, id: destination } of places) {
        const wanted = sent.filter(({ heard }) => heard.includes(place));
        const envelope = {
          ...{ type: TOPIC, created: CREATED, live_mode: environment === 'live' },
          ...(place === 'connect' && { account_id: account.actingFor }),
        };
        await receiver.next(({ body }) => body?.data?.subscription_id !== undefined);
        const query = { destination_id: [destination] };
        const { items } = await call('listWebhookEvents', { query, ...owner });

        expect(
          receiver.deliveries.map(({ body }) => body),
          `delivered to ${place}`,
        ).toEqual(wanted.map(({ id, data }) => ({ id, data, ...envelope })));
        const item = { topic: TOPIC, time: CREATED, matched_destination_ids: [destination] };
        expect(items.reverse(), `logged for ${place}`).toMatchObject(
          wanted.map(({ id, data }) => ({ id, data, ...item })),
        );
      }
    }
  },
);

check(
  'WHK-85',
  {
    requirement: 'R-SUB-41 R-WHK-37 R-WHK-44',
    effect: 'E4',
    assumes: 'A-603 A-605 A-606',
    needs: 'clock.movable',
  },
  'activations by a payment, at a later start, after an end and by the late payment of a renewal → each logged at its own time, only for destinations that name the topic itself or *, whatever similar topics others name',
  async (t) => {
    const { call, path, subscribe, until } = await aCustomerWorld(t);
    const wanted = new Set<string>();
    for (const [topics, isWanted] of TOPIC_LISTS) {
      const { id } = await call('createWebhook', { body: { url: blackHole(), topics } });
      if (isWanted) wanted.add(id);
    }
    const free = { name: 'Free', code: 'free', prices: [aUnitPrice('call')], publish: true };
    const { id: product } = await call('createProduct', { body: free });
    const starts_at = '2026-03-01T13:00:00.000Z';
    const later = { products: [{ id: product }], ...ADDRESSES, starts_at };
    const { id: started } = await call('createSubscription', { path, body: later });
    const paid = await subscribe([aFixedPrice()], [], true);
    await until('2026-03-10T12:00:00.000Z');
    const of = { ...path, subscriptionId: started };
    for (const status of ['inactive', 'active'])
      await call('updateSubscription', { path: of, body: { status } });
    await until('2026-04-01T13:00:00.000Z');
    await call('settlePayment', { path: { id: paid }, body: { outcome: 'succeeded' } });
    const { items } = await call('listWebhookEvents', {});

    expect(items.map(({ data, time }: AnyBody) => ({ ...data, time })).reverse()).toEqual(
      [
        [paid, '2026-03-01T12:00:00.000Z'],
        [started, starts_at],
        [started, '2026-03-10T12:00:00.000Z'],
        [paid, '2026-04-01T13:00:00.000Z'],
      ].map(([subscription_id, time]) => ({
        ...{ customer_id: path.customerId, subscription_id, occurred_at: time, time },
      })),
    );
    for (const { matched_destination_ids } of items)
      expect(new Set(matched_destination_ids)).toEqual(wanted);
  },
);
