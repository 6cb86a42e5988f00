import {
  aFreshAccount,
  api,
  aReceiver,
  aWebhook,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
} from '../kit/index.ts';
import { type Caller, oneOfEach } from './shared/one-of-each.ts';
import {
  activation,
  attemptsOf,
  DATA,
  dispatch,
  type Item,
  isMatched,
  isOf,
  log,
  logged,
  TOPIC,
} from './shared/webhooks.ts';

/** The response status of each delivery attempt; null when there was no response. */
const statusesOf = (item: Item) => attemptsOf(item).map(({ status_code }) => status_code);

describe('listWebhookEvents', () => {
  check(
    'WHK-12',
    {
      requirement: ['R-WHK-07', 'R-WHK-09', 'R-WHK-25', 'R-WHK-26', 'R-WHK-27', 'R-WHK-46'],
      level: 'MUST',
      effect: 'E2',
    },
    'log filters destination_id (list), status, time_gte/lte; item has exactly one of successful_at and failed_at once it was attempted',
    async (t) => {
      const [one, other] = [await aWebhook(t), await aWebhook(t)];
      const since = now(-1000);
      const [first, second] = [await dispatch(one), await dispatch(other)];
      const settled = await logged(first, ({ failed_at }) => failed_at !== null);
      const ids = async (query: object) => (await log(query)).map(({ id }) => id);

      expect(await ids({ destination_id: [one.id] })).toEqual([first]);
      expect(await ids({ destination_id: [one.id, other.id] })).toEqual([second, first]);
      expect(await ids({ destination_id: [one.id], status: 'Failed' })).toEqual([first]);
      expect(await ids({ destination_id: [one.id], status: 'Success' })).toEqual([]);
      expect(await ids({ destination_id: [one.id], time_gte: since })).toEqual([first]);
      expect(await ids({ destination_id: [one.id], time_lte: since })).toEqual([]);
      expect((settled.successful_at ?? null) === null).not.toBe(
        (settled.failed_at ?? null) === null,
      );
    },
  );

  check(
    'WHK-22',
    { requirement: 'R-LIM-03', level: 'MUST', effect: 'E0' },
    'log without limit → pagination.limit 100',
    async () => {
      const { pagination } = await api('listWebhookEvents', {}, 200);

      expect(pagination.limit).toBe(100);
    },
  );

  check(
    'WHK-23',
    { requirement: 'R-PAGE-10', level: 'ASSUMED', effect: 'E0', assumes: 'A-1205' },
    'next or prev that is not a cursor → 400',
    async () => {
      await call('listWebhookEvents', { query: { next: 'no cursor' } }, [400]);
      await call('listWebhookEvents', { query: { prev: 'no cursor' } }, [400]);
    },
  );

  check(
    'WHK-65',
    { requirement: 'R-WHK-60', level: 'ASSUMED', effect: 'E3', assumes: 'A-1211' },
    'activation and test event of a connected account, and activation of the platform → each log lists only the destinations of its own account',
    async (t) => {
      const caller = { actingFor: (await aFreshAccount()).id };
      const destinations = {
        direct: await aWebhook(t),
        connect: await aWebhook(t, { connect: true }),
      };
      const { ids, webhookId } = await oneOfEach(caller);
      const named = Object.entries({ ...destinations, own: { id: webhookId } });
      const matchedIn = async (who: Caller, isMeant: (item: Item) => boolean) => {
        const query = { limit: 1000 };
        const { items } = (await call('listWebhookEvents', { query, ...who }, [200])).body;
        const item = items.find(isMeant);
        return named.filter(([, { id }]) => isMatched(item, { id })).map(([name]) => name);
      };
      const expectNamed = async (wanted: object, isMeant: (item: Item) => boolean) => {
        const look = async () => ({
          platform: await matchedIn({}, isMeant),
          account: await matchedIn(caller, isMeant),
        });
        expect(await eventually(look, ({ platform }) => platform.length > 0)).toEqual(wanted);
      };
      const path = { customerId: String(ids['customerId']) };
      const body = { products: [{ id: ids['productId'] }] };
      const { id } = (await call('createSubscription', { path, body, ...caller }, [201])).body;
      const { subscriptionId } = await activation();
      const place = { webhookId: destinations.connect.id, connectedAccountId: caller.actingFor };
      const test = { path: { ...place, topic: TOPIC }, body: DATA as never };
      const { id: tested } = await api('testConnectedWebhook', test, 202);

      await expectNamed({ platform: ['connect'], account: ['own'] }, isOf(id));
      await expectNamed({ platform: ['connect'], account: [] }, (item) => item.id === tested);
      await expectNamed({ platform: ['direct'], account: [] }, isOf(subscriptionId));
      for (const foreign of [destinations.direct, destinations.connect]) {
        const query = { destination_id: [foreign.id] };
        expect((await call('listWebhookEvents', { query, ...caller }, [200])).body.items).toEqual(
          [],
        );
      }
    },
  );

  check(
    'WHK-66',
    {
      requirement: 'R-WHK-61',
      level: 'ASSUMED',
      effect: 'E2',
      assumes: ['A-1205', 'A-1212'],
      needs: 'receiver',
    },
    'destination that acknowledged one event and failed another is removed → both stay in the log, also filtered by that destination: the first unchanged, the second with a last attempt without a status',
    async (t) => {
      const receiver = await aReceiver(t);
      const webhook = await aWebhook(t, { url: receiver.url });
      const heard = await dispatch(webhook);
      const before = await logged(heard, ({ successful_at }) => successful_at !== null);
      receiver.react(500);
      const refused = await dispatch(webhook);
      await logged(refused, ({ failed_at }) => failed_at !== null);
      await call('deleteWebhook', { path: { webhookId: webhook.id } }, [204]);
      const after = await logged(refused, (item) => statusesOf(item).at(-1) === null);
      const kept = (query: object) => log({ destination_id: [webhook.id], ...query });

      expect(statusesOf(after)[0]).toBe(500);
      expect([after.successful_at, typeof after.failed_at]).toEqual([null, 'string']);
      expect(await logged(heard)).toEqual(before);
      expect(await kept({})).toEqual([after, before]);
      expect(await kept({ status: 'Success' })).toEqual([before]);
      expect(await kept({ status: 'Failed' })).toEqual([after]);
    },
  );
});
