import {
  api,
  aWebhook,
  blackHole,
  building,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  isOurs,
  refused,
} from '../kit/index.ts';
import { TOPIC } from './shared/webhooks.ts';

describe('createWebhook', () => {
  check(
    'WHK-01',
    {
      requirement: ['R-WHK-01', 'R-WHK-03', 'R-WHK-12', 'R-WHK-14', 'R-WHK-15'],
      level: 'MUST',
      effect: 'E2',
    },
    'create with url only → 201 id, secret, created_at; GET: topics [*], connect false',
    async (t) => {
      const made = await aWebhook(t);
      const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);

      expect(made.secret).not.toBe('');
      expect(shown).toMatchObject({ url: made.url, topics: ['*'], connect: false, enabled: true });
      expect(Date.parse(shown.created_at)).not.toBeNaN();
    },
  );

  check(
    'WHK-02',
    { requirement: ['R-SIG-09', 'R-WHK-03', 'R-WHK-04', 'R-WHK-19'], level: 'MUST', effect: 'E2' },
    'GET has secret equal to the one created; list item has none',
    async (t) => {
      const made = await aWebhook(t);
      const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);
      const { items } = await api('listWebhooks', {}, 200);

      expect(shown.secret).toBe(made.secret);
      for (const item of items) expect(item).not.toHaveProperty('secret');
    },
  );

  check(
    'WHK-07',
    { requirement: ['R-WHK-13', 'R-WHK-36', 'R-WHK-48'], level: 'MUST', effect: 'E2' },
    'url missing or not a URI → rejected; plain http → accepted or rejected (HTTPS stated)',
    async (t) => {
      await refused('createWebhook', { body: {} });
      await refused('createWebhook', { body: { url: 'nowhere' } });
      const url = blackHole().replace('https:', 'http:');
      t.observe(
        'plain http',
        (await call('createWebhook', { body: { url } }, [201, 400, 422])).status,
      );
    },
  );

  check(
    'WHK-29',
    { requirement: 'R-WHK-49', level: 'ASSUMED', effect: 'E2', assumes: 'A-1202' },
    'topics [] or a malformed name → rejected; well-formed unknown name → kept',
    async (t) => {
      await refused('createWebhook', { body: { url: blackHole(), topics: [] } });
      await refused('createWebhook', { body: { url: blackHole(), topics: ['Not A Topic'] } });
      const { id } = await aWebhook(t, { topics: ['contract.unheard_of'] });
      const shown = await api('getWebhook', { path: { webhookId: id } }, 200);

      expect(shown.topics).toEqual(['contract.unheard_of']);
    },
  );

  check(
    'WHK-36',
    { requirement: 'R-SIG-10', level: 'ASSUMED', effect: 'E2', assumes: 'A-1203' },
    'secret has the form whsec_ and URL-safe base 64',
    async (t) => {
      expect((await aWebhook(t)).secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}=?$/);
    },
  );
});

/** On an emulator of this run: creates an enabled destination, and a disabled one for connected accounts. */
async function anyDestinations(t: CheckContext): Promise<void> {
  if (!isOurs()) return;
  await aWebhook(t);
  const { id } = await aWebhook(t, { connect: true });
  await building('disabled destination', () =>
    api('updateWebhook', { path: { webhookId: id }, body: { enabled: false } }, 200),
  );
}

describe('listWebhooks', () => {
  check(
    'WHK-03',
    { requirement: ['R-WHK-16', 'R-WHK-17'], level: 'MUST', effect: 'E0' },
    'list → items, total_count, and no limit/offset',
    async () => {
      const list = await api('listWebhooks', {}, 200);

      expect(list.total_count).toBe(list.items.length);
      expect(list).not.toHaveProperty('limit');
      expect(list).not.toHaveProperty('offset');
    },
  );

  check(
    'WHK-04',
    { requirement: 'R-WHK-18', level: 'MUST', effect: 'E0' },
    'enabled and connect filters, each value',
    async (t) => {
      await anyDestinations(t);
      for (const value of [true, false]) {
        const byState = await api('listWebhooks', { query: { enabled: value } }, 200);
        const byScope = await api('listWebhooks', { query: { connect: value } }, 200);

        expect(byState.items.every(({ enabled }) => enabled === value)).toBe(true);
        expect(byScope.items.every(({ connect }) => connect === value)).toBe(true);
      }
    },
  );
});

describe('updateWebhook', () => {
  check(
    'WHK-05',
    { requirement: ['R-WHK-02', 'R-WHK-10', 'R-WHK-21', 'R-WHK-22'], level: 'MUST', effect: 'E2' },
    'PATCH enabled, url, topics → 200 destination, updated_at later, GET agrees',
    async (t) => {
      const { id } = await aWebhook(t);
      const path = { webhookId: id };
      const before = await api('getWebhook', { path }, 200);
      const change = { url: blackHole(), topics: [TOPIC], enabled: false };
      const answer = await api('updateWebhook', { path, body: change }, 200);
      const after = await api('getWebhook', { path }, 200);

      expect(answer).toMatchObject(change);
      expect(after).toMatchObject(change);
      expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    },
  );

  check(
    'WHK-30',
    { requirement: 'R-WHK-51', level: 'ASSUMED', effect: 'E2', assumes: 'A-1203' },
    'response to PATCH has no secret',
    async (t) => {
      const { id } = await aWebhook(t);
      const path = { webhookId: id };

      expect(await api('updateWebhook', { path, body: { enabled: true } }, 200)).not.toHaveProperty(
        'secret',
      );
    },
  );
});

describe('deleteWebhook', () => {
  check(
    'WHK-06',
    { requirement: ['R-WHK-20', 'R-WHK-23'], level: 'MUST', effect: 'E2' },
    'DELETE → 204, then GET 404 and absent from list',
    async (t) => {
      const { id } = await aWebhook(t);
      const { text } = await call('deleteWebhook', { path: { webhookId: id } }, [204]);
      const { items } = await api('listWebhooks', {}, 200);

      expect(text).toBe('');
      expect(items.map((item) => item.id)).not.toContain(id);
      await api('getWebhook', { path: { webhookId: id } }, 404);
    },
  );
});
