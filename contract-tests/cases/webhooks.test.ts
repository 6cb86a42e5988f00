import {
  type AnyBody,
  aFreshCustomer,
  aFreshProduct,
  anOwnWorld,
  api,
  assuming,
  aWebhook,
  blackHole,
  call,
  check,
  eventually,
  expect,
  now,
  refused,
} from '../kit/index.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { MINUTE_MS, moved } from './shared/times.ts';
import {
  DATA,
  dispatch,
  isMatched,
  isOf,
  log,
  logged,
  SIMILAR_TOPICS,
  TOPIC,
} from './shared/webhooks.ts';

check(
  'WHK-07',
  { requirement: 'R-WHK-36 R-WHK-48', effect: 'E2' },
  'plain http → accepted or rejected (HTTPS stated)',
  async (t) => {
    const url = blackHole().replace('https:', 'http:');
    const { status } = await call('createWebhook', { body: { url } }, [201, 400, 422]);
    t.observe('plain http', status);
  },
);

/** Texts that are no topic. */
const NO_TOPICS = [
  ...['Subscription.Activated', 'SUBSCRIPTION.ACTIVATED', 'subscription.activateD'],
  ...['subscription.*', '*.activated', '**', '* ', '*,subscription.activated'],
  ...['subscription.activated ', ' subscription.activated', 'subscription.activated\n'],
  ...['subscription..activated', '.subscription.activated', 'subscription.activated.', '.'],
  ...['subscription activated', 'subscription-activated', 'subscription/activated', ''],
  ...['subscription.activated,subscription.ended', '1subscription', '_subscription', 'süb'],
];

check(
  'WHK-29',
  { requirement: 'R-WHK-49', effect: 'E2', assumes: 'A-1202' },
  'topics [], and texts in other letter case, with wildcards inside, spaces, empty parts and other signs, alone at creation and next to a topic by update → rejected, the topics stay; well-formed unknown names → kept',
  async (t) => {
    const { id: webhookId } = await aWebhook(t, { topics: SIMILAR_TOPICS });
    const path = { webhookId };
    await refused('createWebhook', { body: { url: blackHole(), topics: [] } });
    for (const text of NO_TOPICS) {
      await refused('createWebhook', { body: { url: blackHole(), topics: [text] } });
      await refused('updateWebhook', { path, body: { topics: [TOPIC, text, '*'] } });
    }
    expect((await api('getWebhook', { path }, 200)).topics).toEqual(SIMILAR_TOPICS);
  },
);

const OTHER = 'contract.unheard_of';
const ELSEWHERE = 'https://contract.invalid/elsewhere';

check(
  'WHK-90',
  {
    requirement: 'R-ERR-28 R-WHK-02',
    effect: 'E4',
    assumes: 'A-104 A-1201 A-1202 A-1203',
    needs: 'clock.movable',
  },
  'one of two destinations of a connected account updated by every field, alone and together, minutes apart → updated_at is the time of its last update, in the response, by id and in the list; created_at, the secret, fields left out and the other destination stay, and nothing changes by rejected updates, reads and tests',
  async (t) => {
    const world = anOwnWorld(t);
    let now = '2026-03-01T12:00:00.000Z';
    await world('setClock', { body: { mode: 'frozen', now } });
    const { id: actingFor } = await world('createConnectedAccount', { body: { name: 'Contract' } });
    const call: typeof world = (operation, parts, statuses) =>
      world(operation, { ...parts, actingFor }, statuses);
    const made: AnyBody[] = [];
    for (const topics of [[OTHER], [TOPIC]]) {
      const body = { url: blackHole(), topics };
      const { id, secret } = await call('createWebhook', { body });
      const times = { created_at: now, updated_at: now };
      made.unshift({ id, ...body, connect: false, enabled: true, ...times, secret });
    }
    const [updated, other] = made;
    const expectShown = async (after: string) => {
      const { items } = await call('listWebhooks', {});
      expect(items, after).toEqual(made.map(({ secret: _, ...rest }) => rest));
    };
    const path = { webhookId: updated.id };
    for (const body of [
      { url: `${ELSEWHERE}/1` },
      { topics: [TOPIC, OTHER] },
      { enabled: false },
      { topics: [OTHER], url: `${ELSEWHERE}/2` },
      { enabled: true, topics: ['*'] },
    ]) {
      now = moved(now, MINUTE_MS);
      await world('advanceClock', { body: { to: now } });
      const { secret: _, ...rest } = Object.assign(updated, body, { updated_at: now });
      expect(await call('updateWebhook', { path, body })).toMatchObject(rest);
      await expectShown(JSON.stringify(body));
    }
    await world('advanceClock', { body: { to: moved(now, MINUTE_MS) } });
    await call('testWebhook', { path: { ...path, topic: TOPIC }, body: DATA });
    await call('testWebhooks', { path: { topic: TOPIC }, body: DATA });
    for (const body of [
      { url: 'http://contract.example/hook' },
      { url: ELSEWHERE, topics: [] },
      { topics: TOPIC, enabled: false },
    ])
      await call('updateWebhook', { path, body }, [400, 422]);
    await expectShown('tests and rejected updates');
    for (const one of [updated, other])
      expect(await call('getWebhook', { path: { webhookId: one.id } })).toEqual(one);
  },
);

const shown = (webhookId: string) => api('getWebhook', { path: { webhookId } }, 200);

check(
  'WHK-50',
  {
    requirement: 'R-WHK-02 R-WHK-04 R-WHK-10 R-WHK-20 R-WHK-21 R-WHK-22 R-WHK-23 R-WHK-51',
    effect: 'E2',
    partly: 'A-1203',
  },
  'a destination read, listed and tested → unchanged, enabled by default, and the list shows everything but the secret; updated by one field, and by all together → these and a later updated_at, all others as before; deleted → 204, then 404 by id and absent from the list',
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
      { url: blackHole(), topics: [TOPIC], enabled: false },
    ]) {
      const update = () => api('updateWebhook', { path: { webhookId: id }, body }, 200);
      const changed = await eventually(update, (now) => now.updated_at > updated_at);
      known = { ...known, ...body };
      updated_at = changed.updated_at;
      expect(changed, JSON.stringify(body)).toMatchObject(body);
      await assuming('A-1203', async () => {
        expect(changed).not.toHaveProperty('secret');
        expect(known.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}=?$/);
      });
      expect(await shown(id), JSON.stringify(body)).toEqual({ ...known, updated_at });
    }
    await api('updateWebhook', { path: { webhookId: id }, body: {} }, 200);
    expect(await shown(id), 'after an empty update').toMatchObject(known);
    const path = { webhookId: id };
    expect((await call('deleteWebhook', { path }, [204])).text).toBe('');
    const left = await api('listWebhooks', {}, 200);
    expect(left.items.map((item) => item.id)).not.toContain(id);
    await api('getWebhook', { path }, 404);
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
