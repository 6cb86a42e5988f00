import {
  aCustomerWorld,
  anOwnWorld,
  aReceiver,
  aUnitPrice,
  blackHole,
  type CheckContext,
  check,
  expect,
  type OperationId,
  unknownId,
  type WorldCall,
} from '../kit/index.ts';
import { moved } from './shared/times.ts';
import { DATA, TOPIC } from './shared/webhooks.ts';

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
    needs: 'clock.movable',
  },
  'test events by each dispatch, and activations, of the platform, of a connected account and requested by that account, with a test key and with a live one → the envelope of each only to those whom it is for, live_mode by the key, with the account if the platform receives it, and an item in the log',
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
          type: TOPIC,
          created: CREATED,
          live_mode: environment === 'live',
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

/** Destinations by name: the account that has each, if any, and its terms. */
const DESTINATIONS: readonly (readonly [name: string, of: string, terms: object])[] = [
  ['own', 'one', {}],
  ['named', 'one', { topics: [TOPIC] }],
  ['ofOther', 'other', {}],
  ['platform', '', {}],
  ['connect', '', { connect: true }],
  ['off', '', { connect: true }],
  ['unheard', '', { connect: true, topics: ['contract.unheard_of'] }],
  ['removed', '', { connect: true }],
];

/** A test event: its operation, the names in its path, and the account that sends it, if any. */
type Sent = readonly [by: OperationId, path: Readonly<Record<string, string>>, who: string];

const of = (connectedAccountId: string, webhookId?: string) => ({
  connectedAccountId,
  ...(webhookId && { webhookId }),
});

/** Test events, and the destinations that they match in the logs of the platform and both accounts; null: not there. */
const ACCEPTED: readonly (readonly [...Sent, ...(readonly (string | null)[])])[] = [
  ['testConnectedWebhooks', of('one'), '', 'connect', 'named own', null],
  ['testConnectedWebhook', of('one', 'connect'), '', 'connect', '', null],
  ['testConnectedWebhook', of('one', 'unheard'), '', 'unheard', '', null],
  ['testConnectedWebhook', of('one', 'off'), '', '', '', null],
  ['testConnectedWebhook', of('one', 'platform'), '', '', '', null],
  ['testWebhooks', {}, 'one', 'connect', 'named own', null],
  ['testWebhook', { webhookId: 'own' }, 'one', null, 'own', null],
  ['testConnectedWebhooks', of('other'), '', 'connect', null, 'ofOther'],
  ['testWebhook', { webhookId: 'ofOther' }, 'other', null, null, 'ofOther'],
  ['testWebhooks', {}, '', 'platform', null, null],
];

/** Test events for nobody, to a destination of none, or of somebody else. */
const NOT_FOUND: readonly Sent[] = [
  ...['nobody', 'customer', 'self'].map((id): Sent => ['testConnectedWebhooks', of(id), '']),
  ['testConnectedWebhook', of('nobody', 'connect'), ''],
  ...['own', 'ofOther', 'removed', 'one'].map(
    (id): Sent => ['testConnectedWebhook', of('one', id), ''],
  ),
  ...['one', 'other', 'self'].map((id): Sent => ['testConnectedWebhook', of(id, 'connect'), 'one']),
  ['testConnectedWebhooks', of('other'), 'one'],
  ...['own', 'removed', 'one'].map((webhookId): Sent => ['testWebhook', { webhookId }, '']),
  ...['ofOther', 'platform', 'connect'].map(
    (webhookId): Sent => ['testWebhook', { webhookId }, 'one'],
  ),
  ['testConnectedWebhooks', { ...of('one'), topic: 'contract.unheard_of' }, ''],
];

/** A world with two connected accounts and these destinations, and the ids of all by name. */
async function twoAccounts(t: CheckContext) {
  const call = anOwnWorld(t);
  const ids: Record<string, string> = { nobody: unknownId('acc') };
  const idOf = (name: string) => ids[name] ?? name;
  const as = (who: string) => (who === '' ? {} : { actingFor: idOf(who) });
  for (const name of ['one', 'other'])
    ids[name] = (await call('createConnectedAccount', { body: { name } })).id;
  for (const [name, who, terms] of DESTINATIONS) {
    const body = { url: blackHole(), ...terms };
    ids[name] = (await call('createWebhook', { body, ...as(who) })).id;
  }
  await call('deleteWebhook', { path: { webhookId: idOf('removed') } });
  await call('updateWebhook', { path: { webhookId: idOf('off') }, body: { enabled: false } });
  ids['customer'] = (await call('createCustomer', { body: { name: 'Ada' }, ...as('one') })).id;
  ids['self'] = (await call('getAccountContext', {})).account_id;
  const send = async ([by, names, who]: Sent, status: number) => {
    const path = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, idOf(name)]));
    const parts = { path: { topic: TOPIC, ...path }, body: DATA, ...as(who) };
    return (await call(by, parts, [status]))?.id;
  };
  /** The log of the platform and of both accounts: the events with the names of the destinations that they matched. */
  const logs = async () => {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const seen = [];
    for (const who of ['', 'one', 'other']) {
      const { items } = await call('listWebhookEvents', as(who));
      seen.push(
        items.map((item: { id: string; matched_destination_ids: string[]; data: object }) => {
          expect(item.data).toEqual(DATA);
          const matched = item.matched_destination_ids.map((id) => names.get(id) ?? id);
          return [item.id, matched.sort().join(' ')];
        }),
      );
    }
    return seen;
  };
  return { call, send, logs };
}

check(
  'WHK-91',
  {
    requirement: 'R-ERR-10 R-WHK-60',
    effect: 'E4',
    assumes: 'A-104 A-1202 A-1207 A-1211',
    needs: 'clock.movable',
  },
  "test events for each of two connected accounts, by the platform to all and to one destination, and by the account → match only destinations with connect true and those of that account, and are in no log of the other; for an unknown account, the platform's own, or another's, to a destination that was removed, is another account's or does not exist, requested by the platform or an account → 404, and nothing is logged",
  async (t) => {
    const { call, send, logs } = await twoAccounts(t);
    const wanted: [string, string][][] = [[], [], []];
    for (const [by, path, who, ...heard] of ACCEPTED) {
      const id = await send([by, path, who], 202);
      for (const [index, names] of heard.entries())
        if (names !== null) wanted[index]?.unshift([id, names]);
    }
    expect(await logs(), 'logs after the accepted').toEqual(wanted);
    const query = { status: 'Success' } as const;
    const { items } = await call('listWebhookEvents', { query });
    expect(items, 'what no destination has acknowledged, as success').toEqual([]);
    for (const sent of NOT_FOUND) await send(sent, 404);
    expect(await logs(), 'logs after the rejected').toEqual(wanted);
  },
);

/** What happens to a destination: an update, the status of its receiver from then on, another receiver, or its removal. */
type Change = Readonly<Record<string, unknown>> | number | 'moved' | 'removed';

/** Attempts by their seconds, each with the status of the response; null without one. */
type Attempts = Readonly<Record<number, number | null>>;

/**
 * What happens to destinations 6 seconds after the start, and a second later, while two events wait for their retries. Then
 * the later attempts at the first event, which failed at once and after 5 seconds, and at the second, which failed at 4.
 */
const WAITING: Readonly<Record<string, readonly [readonly Change[], Attempts, Attempts]>> = {
  nothing: [[], { 305: 500 }, { 9: 500, 309: 500 }],
  'the receiver recovers': [[204], { 305: 204 }, { 9: 204 }],
  'the receiver is gone': [[410], { 305: null }, { 9: 410 }],
  disabled: [[{ enabled: false }], { 305: null }, { 9: null }],
  'disabled for a second': [
    ...([[{ enabled: false }, { enabled: true }], { 305: 500 }, { 9: 500, 309: 500 }] as const),
  ],
  'moved to a receiver': [['moved'], { 305: 204 }, { 9: 204 }],
  'moved to nobody': [[{ url: 'http://127.0.0.1:9/' }], { 305: null }, { 9: null, 309: null }],
  removed: [['removed'], { 6: null }, { 6: null }],
};

const at = (second: number) => moved(CREATED, second * 1000);

/** Destinations whose receivers fail, each with the row of `WAITING` that says what happens to it. */
async function failingDestinations(t: CheckContext, call: WorldCall) {
  const made = [];
  for (const [name, [changes, ...later]] of Object.entries(WAITING)) {
    const receiver = await aReceiver(t);
    receiver.react(500);
    const { id } = await call('createWebhook', { body: { url: receiver.url } });
    made.push({ name, changes, later, receiver, path: { webhookId: id as string } });
  }
  return made;
}

check(
  'WHK-131',
  {
    requirement: 'R-WHK-25 R-WHK-26 R-WHK-54 R-WHK-57 R-WHK-59 R-WHK-61',
    effect: 'E4',
    assumes: 'A-1204 A-1205 A-1207 A-1211 A-1212',
    needs: 'clock.movable',
  },
  'two events wait for retries while the receiver recovers or is gone, or the destination is disabled, also for a second, gets another URL or is removed → each attempt at its time and by the URL of then, a last one without a response if it is disabled or removed; in the log with its end, by status and on the page after one that was read before',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const [places, other] = [await failingDestinations(t, call), await aReceiver(t)];
    const sent: string[] = [];
    for (const second of [0, 4]) {
      await until(at(second));
      for (const { path } of places)
        sent.push((await call('testWebhook', { path: { ...path, topic: TOPIC }, body: DATA })).id);
    }
    await until(at(6));
    const idsOf = async (query: Readonly<Record<string, unknown>>) => {
      const { items, pagination } = await call('listWebhookEvents', { query });
      return [items.map(({ id }: { id: string }) => id), pagination.next];
    };
    const failed = { status: 'Failed', limit: places.length };
    const [, next] = await idsOf(failed);
    for (const second of [6, 7]) {
      await until(at(second));
      for (const { changes, receiver, path } of places) {
        const change = changes[second - 6];
        if (typeof change === 'number') receiver.react(change);
        else if (change === 'removed') await call('deleteWebhook', { path });
        else if (change !== undefined) {
          const body = change === 'moved' ? { url: other.url } : change;
          await call('updateWebhook', { path, body });
        }
      }
    }
    await until(at(600));

    const { items } = await call('listWebhookEvents', {});
    const done: string[] = [];
    for (const [index, item] of items.reverse().entries()) {
      const { name, later, path } = places[index % places.length] as (typeof places)[number];
      const [first, rest] =
        index < places.length ? [{ 0: 500, 5: 500 }, later[0]] : [{ 4: 500 }, later[1]];
      const attempts = Object.entries({ ...first, ...rest });
      const [second, status] = attempts.at(-1) as [string, number | null];
      const end = at(Number(second));
      const isDone = status === 204;
      if (isDone) done.unshift(item.id);
      expect(item, name).toMatchObject({
        id: sent[index],
        matched_destination_ids: [path.webhookId],
        successful_at: isDone ? end : null,
        failed_at: isDone ? null : end,
        metadata: {
          attempts: attempts.map(([each, status_code]) => ({ at: at(Number(each)), status_code })),
        },
      });
    }
    expect(await idsOf({ status: 'Success' })).toEqual([done, null]);
    const left = sent.slice(0, places.length).filter((id) => !done.includes(id));
    expect(await idsOf({ ...failed, next }), 'the page after').toEqual([left.reverse(), null]);
    const heard = places.map(({ receiver }) => receiver.deliveries.length);
    expect(heard, 'requests to each receiver').toEqual([6, 5, 4, 3, 6, 3, 3, 3]);
    expect(other.deliveries, 'requests to the other receiver').toHaveLength(2);
  },
);
