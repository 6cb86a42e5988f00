import {
  aFreshCustomer,
  aFreshProduct,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  eventually,
  expect,
  now,
} from '../kit/index.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { dispatch, isMatched, isOf, log, logged, TOPIC } from './shared/webhooks.ts';

const shown = (webhookId: string) => api('getWebhook', { path: { webhookId } }, 200);

check(
  'WHK-50',
  { requirement: 'R-WHK-02 R-WHK-04 R-WHK-10 R-WHK-22', effect: 'E2' },
  'a destination read, listed and tested → unchanged, enabled by default, and the list shows everything but the secret; updated by one field → that one and a later updated_at, all others as before',
  async (t) => {
    const { id } = await aWebhook(t, { topics: [TOPIC], connect: true });
    let { updated_at, ...known } = await shown(id);
    expect(known).toMatchObject({ enabled: true, topics: [TOPIC], connect: true });
    await dispatch({ id } as never);
    const { items } = await api('listWebhooks', {}, 200);
    const { secret: _, ...listed } = { ...known, updated_at };

    expect(await shown(id)).toEqual({ ...known, updated_at });
    expect(items.find((item) => item.id === id)).toEqual(listed);
    for (const body of [
      { enabled: false },
      { url: blackHole() },
      { topics: ['contract.unheard_of', TOPIC] },
      { url: blackHole() },
      { enabled: true },
    ]) {
      const update = () => api('updateWebhook', { path: { webhookId: id }, body }, 200);
      const changed = await eventually(update, (now) => now.updated_at > updated_at);
      known = { ...known, ...body };
      updated_at = changed.updated_at;
      expect(await shown(id), JSON.stringify(body)).toEqual({ ...known, updated_at });
    }
    await api('updateWebhook', { path: { webhookId: id }, body: {} }, 200);
    expect(await shown(id), 'after an empty update').toMatchObject(known);
  },
);

/** The log items of some subscriptions' activations, oldest first. */
async function activationsOf(ids: readonly string[]) {
  const items = await log({ time_gte: now(-120_000) });
  return items.filter((item) => ids.some((id) => isOf(id)(item))).reverse();
}

const activated = (id: string) =>
  eventually(
    () => activationsOf([id]),
    (seen) => seen.length > 0,
  );

check(
  'WHK-48',
  { requirement: 'R-WHK-06 R-WHK-22 R-WHK-23 R-WHK-37', effect: 'E3' },
  'topics changed by update, a destination removed → the next event is matched by the current state, former log items stay unchanged',
  async (t) => {
    const [one, other] = [await aWebhook(t, { topics: [TOPIC] }), await aWebhook(t)];
    const another = async () => {
      const { id } = await subscribe(await aFreshCustomer(), to(await aFreshProduct()));
      return (await activated(id))[0];
    };
    const first = await another();
    const path = { webhookId: one.id };
    await api('updateWebhook', { path, body: { topics: ['contract.unheard_of'] } }, 200);
    const second = await another();
    await api('updateWebhook', { path, body: { topics: ['*'], url: blackHole() } }, 200);
    await call('deleteWebhook', { path: { webhookId: other.id } }, [204]);
    const third = await another();

    expect([first, second, third].map((item) => isMatched(item, one))).toEqual([true, false, true]);
    expect([first, second, third].map((item) => isMatched(item, other))).toEqual([
      true,
      true,
      false,
    ]);
  },
);

check(
  'WHK-81',
  { requirement: 'R-WHK-17', effect: 'E2' },
  'a destination with 101 topics since its creation, and one by update → all topics by id, in the list and in the response to an update; an event of the last of them is matched',
  async (t) => {
    const topics = Array.from({ length: 101 }, (_, index) => `contract.topic_${index}`);
    const ending = [...topics.slice(1), TOPIC];
    for (const [made, body, wanted] of [
      [{ topics }, { enabled: true }, topics],
      [{}, { topics: ending }, ending],
    ] as const) {
      const webhook = await aWebhook(t, made as object);
      const path = { webhookId: webhook.id };
      const updated = await api('updateWebhook', { path, body: body as object }, 200);
      const { items } = await api('listWebhooks', {}, 200);
      const item = items.find(({ id }) => id === webhook.id);
      for (const shown of [updated, await api('getWebhook', { path }, 200), item])
        expect(shown?.topics, 'topics').toEqual(wanted);
      if (wanted !== ending) continue;
      const to = { path: { ...path, topic: TOPIC }, body: {} };
      const { id } = (await call('testWebhook', to, [202])).body;
      expect(isMatched(await logged(id), webhook), 'matched').toBe(true);
    }
  },
);
