import { api, aWebhook, call, check, describe, expect, now } from '../kit/index.ts';
import {
  activation,
  activationItem,
  attemptsOf,
  dispatch,
  isMatched,
  log,
  logged,
} from './shared/webhooks.ts';

describe('listWebhookEvents', () => {
  // WHK-12: log filters destination_id (list), status, time_gte/lte; item has exactly one of
  // successful_at / failed_at once settled
  check('WHK-12', async (t) => {
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
    expect((settled.successful_at ?? null) === null).not.toBe((settled.failed_at ?? null) === null);
  });

  // WHK-13: cursor walk with limit 1 → no repeats or gaps, next null at the end, prev returns;
  // limit 0 and 1001 → set
  check('WHK-13', async (t) => {
    const webhook = await aWebhook(t);
    const sent = [await dispatch(webhook), await dispatch(webhook), await dispatch(webhook)];
    const page = async (cursor: object) =>
      api(
        'listWebhookEvents',
        { query: { limit: 1, destination_id: [webhook.id], ...cursor } as never },
        200,
      );
    const seen: string[] = [];
    let current = await page({});
    const first = current;
    for (let count = 0; count < 5; count += 1) {
      seen.push(...current.items.map(({ id }) => id));
      if (!current.pagination.next) break;
      current = await page({ next: current.pagination.next });
    }
    const back = await page({ prev: current.pagination.prev ?? 'none' });

    expect(seen).toEqual([...sent].reverse());
    expect(current.pagination.next ?? null).toBeNull();
    expect(first.pagination.limit).toBe(1);
    expect(back.items.map(({ id }) => id)).toEqual([sent[1]]);
    for (const limit of [0, 1001])
      t.observe(
        `limit ${limit}`,
        (await call('listWebhookEvents', { query: { limit } }, [200, 400, 422])).status,
      );
  });

  // WHK-22: log without limit → pagination.limit 100
  check('WHK-22', async () => {
    const { pagination } = await api('listWebhookEvents', {}, 200);

    expect(pagination.limit).toBe(100);
  });

  // WHK-23: next or prev that is no cursor → 400
  check('WHK-23', async () => {
    await call('listWebhookEvents', { query: { next: 'no cursor' } }, [400]);
    await call('listWebhookEvents', { query: { prev: 'no cursor' } }, [400]);
  });

  // WHK-32: two destinations, one event → one log item with both; newest first; attempts in
  // metadata
  check('WHK-32', async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t)];
    const { subscriptionId } = await activation();
    const item = await activationItem(subscriptionId);
    const tried = await logged(item.id, ({ metadata }) => metadata !== null);
    const attempts = attemptsOf(tried);

    expect([isMatched(item, one), isMatched(item, other)]).toEqual([true, true]);
    expect(attempts.length).toBeGreaterThan(0);
    expect(attempts[0]).toMatchObject({ destination_id: expect.any(String) });
  });

  // WHK-52: a test event that its only destination refused → that attempt in its metadata
  check('WHK-52', async (t) => {
    const webhook = await aWebhook(t);
    const item = await logged(await dispatch(webhook), ({ failed_at }) => failed_at !== null);
    const attempts = attemptsOf(item);

    expect(attempts.map(({ at }) => at)).toContain(item.failed_at);
    for (const { destination_id } of attempts)
      expect(item.matched_destination_ids).toEqual([destination_id]);
  });
});
