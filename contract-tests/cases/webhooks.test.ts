import {
  type AnyBody,
  anOwnWorld,
  api,
  assuming,
  aWebhook,
  blackHole,
  call,
  check,
  expect,
  refused,
} from '../kit/index.ts';
import { MINUTE_MS, moved } from './shared/times.ts';
import { DATA, SIMILAR_TOPICS, TOPIC } from './shared/webhooks.ts';

check(
  'WHK-01',
  {
    requirement:
      'R-SIG-09 R-SIG-10 R-WHK-51 R-WHK-01 R-WHK-03 R-WHK-04 R-WHK-12 R-WHK-14 R-WHK-15 R-WHK-16 R-WHK-17 R-WHK-19',
    effect: 'E2',
    partly: 'A-1203',
  },
  'create with url only, and with every field → 201 id, secret, created_at; GET shows them, the secret too, enabled, topics [*] and connect false by default; the list and an update the same without a secret, which is whsec_ and URL-safe base 64',
  async (t) => {
    for (const fields of [{}, { topics: [TOPIC, 'contract.unheard_of'], connect: true }]) {
      const made = await aWebhook(t, fields);
      const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);
      const { items, ...page } = await api('listWebhooks', {}, 200);
      const { secret, ...listed } = shown;

      expect(made.secret).not.toBe('');
      await assuming('A-1203', async () => {
        expect(made.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}=?$/);
        const parts = { path: { webhookId: made.id }, body: { enabled: true } };
        expect(await api('updateWebhook', parts, 200)).not.toHaveProperty('secret');
      });
      expect(shown).toMatchObject({
        ...{ topics: ['*'], connect: false, enabled: true, ...fields },
        ...{ id: made.id, url: made.url, secret: made.secret },
      });
      expect(Date.parse(shown.created_at), 'created_at').not.toBeNaN();
      expect(items.find(({ id }) => id === made.id)).toEqual(listed);
      for (const item of items) expect(item).not.toHaveProperty('secret');
      expect(page, 'no limit and no offset').toEqual({ total_count: items.length });
    }
  },
);

check(
  'WHK-07',
  { requirement: 'R-WHK-13 R-WHK-36 R-WHK-48', effect: 'E2' },
  'url missing or not a URI → rejected; plain http → accepted or rejected (HTTPS stated)',
  async (t) => {
    await refused('createWebhook', { body: {} });
    await refused('createWebhook', { body: { url: 'nowhere' } });
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

check(
  'WHK-05',
  { requirement: 'R-WHK-02 R-WHK-20 R-WHK-21 R-WHK-22 R-WHK-23', effect: 'E2' },
  'PATCH enabled, url and topics together → 200 destination, GET agrees; DELETE → 204, then GET 404 and absent from the list',
  async (t) => {
    const { id } = await aWebhook(t);
    const path = { webhookId: id };
    const change = { url: blackHole(), topics: [TOPIC], enabled: false };
    const changed = await api('updateWebhook', { path, body: change }, 200);

    expect(changed).toMatchObject(change);
    expect(await api('getWebhook', { path }, 200)).toMatchObject(change);
    expect((await call('deleteWebhook', { path }, [204])).text).toBe('');
    const { items } = await api('listWebhooks', {}, 200);
    expect(items.map((item) => item.id)).not.toContain(id);
    await api('getWebhook', { path }, 404);
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
