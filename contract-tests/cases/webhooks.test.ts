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
  unknownId,
} from '../kit/index.ts';
import { TOPIC } from './shared/webhooks.ts';

describe('createWebhook', () => {
  // WHK-01: create with url only → 201 id, secret, created_at; GET: topics [*], connect false
  check('WHK-01', async (t) => {
    const made = await aWebhook(t);
    const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);

    expect(made.secret).not.toBe('');
    expect(shown).toMatchObject({ url: made.url, topics: ['*'], connect: false, enabled: true });
    expect(Date.parse(shown.created_at)).not.toBeNaN();
  });

  // WHK-02: GET has secret equal to the one created; list item has none
  check('WHK-02', async (t) => {
    const made = await aWebhook(t);
    const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);
    const { items } = await api('listWebhooks', {}, 200);

    expect(shown.secret).toBe(made.secret);
    for (const item of items) expect(item).not.toHaveProperty('secret');
  });

  // WHK-07: url missing or not a URI → rejected; plain http → accepted or rejected (HTTPS stated)
  check('WHK-07', async (t) => {
    await refused('createWebhook', { body: {} });
    await refused('createWebhook', { body: { url: 'nowhere' } });
    const url = blackHole().replace('https:', 'http:');
    t.observe(
      'plain http',
      (await call('createWebhook', { body: { url } }, [201, 400, 422])).status,
    );
  });

  // WHK-29: topics [] or a malformed name → rejected; well-formed unknown name → kept
  check('WHK-29', async (t) => {
    await refused('createWebhook', { body: { url: blackHole(), topics: [] } });
    await refused('createWebhook', { body: { url: blackHole(), topics: ['Not A Topic'] } });
    const { id } = await aWebhook(t, { topics: ['contract.unheard_of'] });
    const shown = await api('getWebhook', { path: { webhookId: id } }, 200);

    expect(shown.topics).toEqual(['contract.unheard_of']);
  });

  // WHK-36: secret has the form whsec_ and URL-safe base 64
  check('WHK-36', async (t) => {
    expect((await aWebhook(t)).secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}=?$/);
  });
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
  // WHK-03: list → items, total_count, and no limit/offset
  check('WHK-03', async () => {
    const list = await api('listWebhooks', {}, 200);

    expect(list.total_count).toBe(list.items.length);
    expect(list).not.toHaveProperty('limit');
    expect(list).not.toHaveProperty('offset');
  });

  // WHK-04: enabled and connect filters, each value
  check('WHK-04', async (t) => {
    await anyDestinations(t);
    for (const value of [true, false]) {
      const byState = await api('listWebhooks', { query: { enabled: value } }, 200);
      const byScope = await api('listWebhooks', { query: { connect: value } }, 200);

      expect(byState.items.every(({ enabled }) => enabled === value)).toBe(true);
      expect(byScope.items.every(({ connect }) => connect === value)).toBe(true);
    }
  });
});

describe('updateWebhook', () => {
  // WHK-05: PATCH enabled, url, topics → 200 destination, updated_at later, GET agrees
  check('WHK-05', async (t) => {
    const { id } = await aWebhook(t);
    const path = { webhookId: id };
    const before = await api('getWebhook', { path }, 200);
    const change = { url: blackHole(), topics: [TOPIC], enabled: false };
    const answer = await api('updateWebhook', { path, body: change }, 200);
    const after = await api('getWebhook', { path }, 200);

    expect(answer).toMatchObject(change);
    expect(after).toMatchObject(change);
    expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
  });

  // WHK-21: PATCH and DELETE of an unknown destination → 422, 404 or 400
  check('WHK-21', async (t) => {
    const path = { webhookId: unknownId('dst') };
    const changed = await call(
      'updateWebhook',
      { path, body: { enabled: false } },
      [422, 404, 400],
    );
    const deleted = await call('deleteWebhook', { path }, [422, 404, 400]);
    t.observe('unknown destination', `${changed.status}, ${deleted.status}`);

    expect([changed.status, deleted.status]).toEqual([422, 422]);
  });

  // WHK-30: response to PATCH has no secret
  check('WHK-30', async (t) => {
    const { id } = await aWebhook(t);
    const path = { webhookId: id };

    expect(await api('updateWebhook', { path, body: { enabled: true } }, 200)).not.toHaveProperty(
      'secret',
    );
  });
});

describe('deleteWebhook', () => {
  // WHK-06: DELETE → 204, then GET 404 and absent from list
  check('WHK-06', async (t) => {
    const { id } = await aWebhook(t);
    const { text } = await call('deleteWebhook', { path: { webhookId: id } }, [204]);
    const { items } = await api('listWebhooks', {}, 200);

    expect(text).toBe('');
    expect(items.map((item) => item.id)).not.toContain(id);
    await api('getWebhook', { path: { webhookId: id } }, 404);
  });
});
