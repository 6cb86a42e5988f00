import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW, type TestClient, worldOf } from '../../testing/client.ts';

const ADDRESS = 'http://127.0.0.1:9/hook';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const create = (body: object = {}, headers = {}) =>
  client.api('createWebhook', { body: { url: ADDRESS, ...body }, headers }, 201);
const get = (webhookId: string, headers = {}) =>
  client.api('getWebhook', { path: { webhookId }, headers }, 200);

describe('createWebhook', () => {
  it('creates an enabled destination for all topics of the platform', async () => {
    const created = await create();

    expect(created).toEqual({
      id: expect.stringMatching(/^dst_[0-9a-z]{26}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
      created_at: TEST_NOW,
    });
    expect(await get(created.id)).toEqual({
      ...created,
      url: ADDRESS,
      topics: ['*'],
      connect: false,
      enabled: true,
      updated_at: TEST_NOW,
    });
  });

  it('returns another secret for each destination, and the same secrets in an equal world', async () => {
    const secrets = [await create(), await create()].map(({ secret }) => secret);
    const again = createTestClient();
    const same = await again.api('createWebhook', { body: { url: ADDRESS } }, 201);
    const live = await client.api(
      'createWebhook',
      { body: { url: ADDRESS }, key: 'key_live_emulator' },
      201,
    );

    expect(secrets[1]).not.toBe(secrets[0]);
    expect(same.secret).toBe(secrets[0]);
    expect(live.secret).not.toBe(secrets[0]);
  });

  it.each([
    [{ url: 'http://hooks.example.com/' }, 'url'],
    [{ url: 'https://user:secret@hooks.example.com/' }, 'url'],
    [{ url: 'ftp://127.0.0.1/' }, 'url'],
    [{ url: '/hook' }, 'url'],
    [{ url: null }, 'url'],
    [{ topics: [] }, 'topics'],
    [{ topics: ['Subscription.Activated'] }, 'topics[0]'],
    [{ topics: ['*', 'subscription.*'] }, 'topics[1]'],
  ])('rejects %o', async (body, field) => {
    const rejection = await client.api('createWebhook', { body: { url: ADDRESS, ...body } }, 422);

    expect(Object.keys(rejection.errors)).toEqual([field]);
  });

  it('accepts an unknown topic and adds one warning per destination', async () => {
    const { id } = await create({ topics: ['invoice.paid', 'subscription.activated', '*'] });
    await client.api('updateWebhook', { path: { webhookId: id }, body: { enabled: false } }, 200);
    const world = worldOf(client.emulator);

    expect((await get(id)).topics).toEqual(['invoice.paid', 'subscription.activated', '*']);
    expect([...(world.tables.warnings.values() ?? [])]).toEqual([
      expect.objectContaining({
        kind: 'unknown_topic',
        field: 'topics',
        message: expect.stringContaining(`${id} subscribes to invoice.paid`),
      }),
    ]);
  });
});

describe('listWebhooks', () => {
  it('returns 400 for limit, which it does not have', async () => {
    await client.api('listWebhooks', { query: { limit: 10 } }, 400);
  });
});

describe('updateWebhook', () => {
  it.each([
    [{ url: 'http://hooks.example.com/' }, 'url'],
    [{ topics: [] }, 'topics'],
    [{ enabled: 'no' }, 'enabled'],
    [{ connect: true }, 'connect'],
  ])('rejects %o and changes nothing', async (body, field) => {
    const { id } = await create();
    const before = await get(id);
    const rejection = await client.api('updateWebhook', { path: { webhookId: id }, body }, 422);

    expect(Object.keys(rejection.errors)).toEqual([field]);
    expect(await get(id)).toEqual(before);
  });

  it('rejects an unknown destination with 422 at webhookId', async () => {
    const rejection = await client.api(
      'updateWebhook',
      { path: { webhookId: 'dst_unknown' }, body: {} },
      422,
    );

    expect(rejection.errors).toEqual({ webhookId: ['No such destination.'] });
  });
});
