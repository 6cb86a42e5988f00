import {
  aFreshAccount,
  api,
  aReceiver,
  aWebhook,
  blackHole,
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
  dispatchToAll,
  type Item,
  isMatched,
  isOf,
  isTried,
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
    'log filters destination_id (list), status, time_gte/lte, both inclusive; item has exactly one of successful_at and failed_at once it was attempted',
    async (t) => {
      const [one, other] = [await aWebhook(t), await aWebhook(t)];
      const since = now(-1000);
      const [first, second] = [await dispatch(one), await dispatch(other)];
      const settled = await logged(first, ({ failed_at }) => failed_at !== null);
      const of = { destination_id: [one.id] };
      const { time } = settled;

      for (const [query, wanted] of [
        [of, [first]],
        [{ destination_id: [one.id, other.id] }, [second, first]],
        [{ ...of, status: 'Failed' }, [first]],
        [{ ...of, status: 'Success' }, []],
        [{ ...of, time_gte: since }, [first]],
        [{ ...of, time_lte: since }, []],
        [{ ...of, time_gte: time, time_lte: time }, [first]],
        [{ ...of, time_gte: now(60_000) }, []],
      ] as const)
        expect(
          (await log(query)).map(({ id }) => id),
          JSON.stringify(query),
        ).toEqual(wanted);
      const ends = [settled.successful_at ?? null, settled.failed_at ?? null];
      expect(ends.filter((end) => end !== null).length, 'ends of an item').toBe(1);
    },
  );

  check(
    'WHK-22',
    { requirement: ['R-LIM-03', 'R-LIM-04', 'R-PAGE-07'], level: 'MUST', effect: 'E0' },
    'log without limit → pagination.limit 100; with 1 and 1000 → echoed; 0 and 1001 → rejected, or not echoed, and the response is recorded',
    async (t) => {
      const limitOf = async (query: object) =>
        (await api('listWebhookEvents', { query }, 200)).pagination.limit;
      expect(await limitOf({})).toBe(100);
      for (const limit of [1, 1000]) expect(await limitOf({ limit })).toBe(limit);
      for (const limit of [0, 1001]) {
        const parts = { query: { limit } };
        const { status, body } = await call('listWebhookEvents', parts, [200, 400, 422]);
        t.observe(`limit ${limit}`, status);
        if (status === 200) expect(body.pagination.limit).not.toBe(limit);
      }
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
    'WHK-61',
    {
      requirement: 'R-WHK-54',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1205',
      needs: 'receiver',
    },
    'a test event to two destinations that both acknowledge, or of which one fails → Success only if both did; filtered by destination, each by its own result, with both destinations in each item',
    async (t) => {
      const receivers = [await aReceiver(t), await aReceiver(t)] as const;
      const [one, other] = [
        await aWebhook(t, { url: receivers[0].url }),
        await aWebhook(t, { url: receivers[1].url }),
      ];
      const statusesBy = async (id: string, ...destination_id: readonly string[]) => {
        const found: string[] = [];
        for (const status of ['Success', 'Failed']) {
          const item = (await log({ destination_id, status })).find((each) => each.id === id);
          if (!item) continue;
          found.push(status);
          expect([isMatched(item, one), isMatched(item, other)]).toEqual([true, true]);
        }
        return found.join();
      };
      for (const [first, second, ofFirst, ofSecond, ofBoth] of [
        [204, 204, 'Success', 'Success', 'Success'],
        [204, 500, 'Success', 'Failed', 'Failed'],
        [500, 204, 'Failed', 'Success', 'Failed'],
      ] as const) {
        receivers[0].react(first);
        receivers[1].react(second);
        const id = await dispatchToAll();
        const item = await logged(id, (seen) => isTried(seen, one) && isTried(seen, other));
        const isDone = ofBoth === 'Success';

        if (!isDone || item.matched_destination_ids.length === 2)
          expect([item.successful_at !== null, item.failed_at !== null]).toEqual([isDone, !isDone]);
        expect([
          await statusesBy(id, one.id),
          await statusesBy(id, other.id),
          await statusesBy(id, one.id, other.id),
        ]).toEqual([ofFirst, ofSecond, ofBoth]);
      }
    },
  );

  check(
    'WHK-65',
    { requirement: 'R-WHK-60', level: 'ASSUMED', effect: 'E3', assumes: 'A-1211' },
    'activation and test event of a connected account, and activation of the platform → each log lists only the destinations of its own account',
    async (t) => {
      const caller = { actingFor: (await aFreshAccount()).id };
      const direct = await aWebhook(t);
      const connect = await aWebhook(t, { connect: true });
      const { ids, webhookId } = await oneOfEach(caller);
      const named = Object.entries({ direct, connect, own: { id: webhookId } });
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
      const place = { webhookId: connect.id, connectedAccountId: caller.actingFor };
      const test = { path: { ...place, topic: TOPIC }, body: DATA as never };
      const { id: tested } = await api('testConnectedWebhook', test, 202);

      await expectNamed({ platform: ['connect'], account: ['own'] }, isOf(id));
      await expectNamed({ platform: ['connect'], account: [] }, (item) => item.id === tested);
      await expectNamed({ platform: ['direct'], account: [] }, isOf(subscriptionId));
      for (const foreign of [direct, connect]) {
        const query = { destination_id: [foreign.id] };
        const { items } = (await call('listWebhookEvents', { query, ...caller }, [200])).body;
        expect(items).toEqual([]);
      }
    },
  );

  check(
    'WHK-66',
    {
      requirement: ['R-WHK-06', 'R-WHK-22', 'R-WHK-61'],
      level: 'ASSUMED',
      effect: 'E2',
      assumes: ['A-1205', 'A-1212'],
      needs: 'receiver',
    },
    'destination that acknowledged one event and failed another is updated, then removed → both stay in the log as they were, also filtered by that destination; after the removal the second has a last attempt without a status',
    async (t) => {
      const receiver = await aReceiver(t);
      const webhook = await aWebhook(t, { url: receiver.url });
      const path = { webhookId: webhook.id };
      const heard = await dispatch(webhook);
      const before = await logged(heard, ({ successful_at }) => successful_at !== null);
      receiver.react(500);
      const refused = await dispatch(webhook);
      const failed = await logged(refused, ({ failed_at }) => failed_at !== null);
      const kept = (query: object) => log({ destination_id: [webhook.id], ...query });
      for (const body of [
        { topics: ['contract.unheard_of'] },
        { url: blackHole() },
        { enabled: false },
      ]) {
        await call('updateWebhook', { path, body }, [200]);
        // A retry can come between.
        const [second, first] = await kept({});
        expect(first, `after ${JSON.stringify(body)}`).toEqual(before);
        expect(second?.matched_destination_ids).toEqual(failed.matched_destination_ids);
        expect(statusesOf(second as Item)[0], 'status of the first attempt').toBe(500);
      }
      await call('deleteWebhook', { path }, [204]);
      const after = await logged(refused, (item) => statusesOf(item).at(-1) === null);

      expect(statusesOf(after)[0]).toBe(500);
      expect([after.successful_at, typeof after.failed_at]).toEqual([null, 'string']);
      expect(await logged(heard)).toEqual(before);
      expect(await kept({})).toEqual([after, before]);
      expect(await kept({ status: 'Success' })).toEqual([before]);
      expect(await kept({ status: 'Failed' })).toEqual([after]);
    },
  );
});
