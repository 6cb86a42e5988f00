import {
  api,
  aReceiver,
  assuming,
  aWebhook,
  blackHole,
  call,
  check,
  expect,
  now,
} from '../kit/index.ts';
import {
  attemptsOf,
  dispatch,
  dispatchToAll,
  type Item,
  isMatched,
  isTried,
  log,
  logged,
} from './shared/webhooks.ts';

/** The response status of each delivery attempt; null when there was no response. */
const statusesOf = (item: Item) => attemptsOf(item).map(({ status_code }) => status_code);

check(
  'WHK-12',
  { requirement: 'R-WHK-07 R-WHK-09 R-WHK-25 R-WHK-26 R-WHK-27 R-WHK-46', effect: 'E2' },
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
  { requirement: 'R-LIM-03 R-LIM-04 R-PAGE-07 R-PAGE-10', effect: 'E0', partly: 'A-1205' },
  'log without limit → pagination.limit 100; with 1 and 1000 → echoed; 0 and 1001 → rejected, or not echoed, and the response is recorded; next or prev that is not a cursor → 400',
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
    for (const edge of ['next', 'prev'])
      await assuming('A-1205', () =>
        call('listWebhookEvents', { query: { [edge]: 'no cursor' } }, [400]),
      );
  },
);

check(
  'WHK-61',
  { requirement: 'R-WHK-54', effect: 'E4', assumes: 'A-1205', needs: 'receiver' },
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
  'WHK-66',
  {
    requirement: 'R-WHK-06 R-WHK-22 R-WHK-61',
    effect: 'E2',
    assumes: 'A-1205 A-1212',
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
