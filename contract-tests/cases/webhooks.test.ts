import {
  api,
  assuming,
  aWebhook,
  blackHole,
  call,
  check,
  eventually,
  expect,
  refused,
} from '../kit/index.ts';
import { dispatch, isMatched, logged, SIMILAR_TOPICS, TOPIC } from './shared/webhooks.ts';

check(
  'WHK-07',
  { requirement: 'R-WHK-36 R-WHK-48', effect: 'E2' },
  'a destination by plain http → accepted or rejected, which is recorded; the specification says HTTPS',
  async (t) => {
    const url = blackHole().replace('https:', 'http:');
    const { status } = await call('createWebhook', { body: { url } }, [201, 400, 422]);
    t.observe('plain http', status);
  },
);

/** Texts that are no topic. */
const NO_TOPICS = [
  'Subscription.Activated',
  'SUBSCRIPTION.ACTIVATED',
  'subscription.activateD',
  'subscription.*',
  '*.activated',
  '**',
  '* ',
  '*,subscription.activated',
  'subscription.activated ',
  ' subscription.activated',
  'subscription.activated\n',
  'subscription..activated',
  '.subscription.activated',
  'subscription.activated.',
  '.',
  'subscription activated',
  'subscription-activated',
  'subscription/activated',
  '',
  'subscription.activated,subscription.ended',
  '1subscription',
  '_subscription',
  'süb',
];

check(
  'WHK-29',
  { requirement: 'R-WHK-49', effect: 'E2', assumes: 'A-1202' },
  'an empty list of topics, and topics in another letter case, with wildcards inside, spaces, empty parts and other signs, alone at creation and beside a valid one by update → rejected, the topics stay; well-formed unknown names → kept',
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

const shown = (webhookId: string) => api('getWebhook', { path: { webhookId } }, 200);

check(
  'WHK-50',
  {
    requirement: 'R-WHK-02 R-WHK-04 R-WHK-10 R-WHK-20 R-WHK-21 R-WHK-22 R-WHK-23 R-WHK-51',
    effect: 'E2',
    partly: 'A-1203',
  },
  'a destination read, listed and tested → unchanged, enabled by default, and the list shows everything but the secret; updated by one field, and by all together → the new values and a later updated_at, all other fields as before; deleted → 204, then 404 by id and absent from the list',
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
