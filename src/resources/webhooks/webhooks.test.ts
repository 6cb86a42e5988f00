import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';

const ADDRESS = 'http://127.0.0.1:9/hook';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const create = (body: object = {}, headers = {}) =>
  client.api('createWebhook', { body: { url: ADDRESS, ...body }, headers }, 201);
const get = (webhookId: string, headers = {}) =>
  client.api('getWebhook', { path: { webhookId }, headers }, 200);
const connect = async () => {
  const { id } = await client.api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
  return { 'X-Service-Account': id as string };
};

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

  it('stores the given fields, and treats null as absent', async () => {
    const full = await create({ topics: ['subscription.activated'], connect: true });
    const bare = await create({ topics: null, connect: null });

    expect(await get(full.id)).toMatchObject({ topics: ['subscription.activated'], connect: true });
    expect(await get(bare.id)).toMatchObject({ topics: ['*'], connect: false });
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
    const world = client.emulator.worlds.find('key_test_emulator');

    expect((await get(id)).topics).toEqual(['invoice.paid', 'subscription.activated', '*']);
    expect([...(world?.tables.warnings.values() ?? [])]).toEqual([
      expect.objectContaining({
        kind: 'unknown_topic',
        field: 'topics',
        message: expect.stringContaining(`${id} subscribes to invoice.paid`),
      }),
    ]);
  });
});

describe('listWebhooks', () => {
  it('lists newest first, without secrets', async () => {
    const ids = [await create(), await create(), await create()].map(({ id }) => id);
    const list = await client.api('listWebhooks', {}, 200);

    expect(list.items.map(({ id }: { id: string }) => id)).toEqual(ids.reverse());
    expect(list.total_count).toBe(3);
    expect(Object.keys(list.items[0])).not.toContain('secret');
  });

  it('filters by enabled and connect', async () => {
    const off = await create();
    await client.api(
      'updateWebhook',
      { path: { webhookId: off.id }, body: { enabled: false } },
      200,
    );
    const connected = await create({ connect: true });
    const plain = await create();
    const idsOf = async (query: Record<string, boolean>) => {
      const list = await client.api('listWebhooks', { query }, 200);
      expect(list.total_count).toBe(list.items.length);
      return list.items.map(({ id }: { id: string }) => id);
    };

    expect(await idsOf({ enabled: true })).toEqual([plain.id, connected.id]);
    expect(await idsOf({ enabled: false })).toEqual([off.id]);
    expect(await idsOf({ connect: false })).toEqual([plain.id, off.id]);
    expect(await idsOf({ connect: true, enabled: false })).toEqual([]);
  });

  it('returns 400 for limit, which it does not have', async () => {
    await client.api('listWebhooks', { query: { limit: 10 } }, 400);
  });
});

describe('getWebhook', () => {
  it('finds a destination by either id prefix and returns the first', async () => {
    const { id, secret } = await create();

    expect(await get(id.replace('dst_', 'whd_'))).toMatchObject({ id, secret });
  });

  it.each(['dst_unknown', 'evt_x', '%'])('returns 404 for %s', async (webhookId) => {
    await client.api('getWebhook', { path: { webhookId } }, 404);
  });
});

describe('updateWebhook', () => {
  it('changes only the given fields and returns no secret', async () => {
    const { id, secret } = await create({ topics: ['subscription.activated'] });
    const world = client.emulator.worlds.find('key_test_emulator');
    if (world) world.clock.state = { mode: 'frozen', at: '2026-01-16T00:00:00.000Z' as never };
    const updated = await client.api(
      'updateWebhook',
      { path: { webhookId: id.replace('dst_', 'whd_') }, body: { enabled: false } },
      200,
    );

    expect(updated).toEqual({
      id,
      url: ADDRESS,
      topics: ['subscription.activated'],
      connect: false,
      enabled: false,
      created_at: TEST_NOW,
      updated_at: '2026-01-16T00:00:00.000Z',
    });
    expect(await get(id)).toEqual({ ...updated, secret });
  });

  it('replaces url and topics', async () => {
    const { id } = await create();
    const body = { url: 'https://hooks.example.com/new', topics: ['subscription.activated'] };
    const updated = await client.api('updateWebhook', { path: { webhookId: id }, body }, 200);

    expect(updated).toMatchObject(body);
  });

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

describe('deleteWebhook', () => {
  it('deletes the destination, and returns 422 for a second delete', async () => {
    const { id } = await create();
    const path = { webhookId: id.replace('dst_', 'whd_') };
    await client.api('deleteWebhook', { path }, 204);

    await client.api('getWebhook', { path }, 404);
    expect((await client.api('listWebhooks', {}, 200)).total_count).toBe(0);
    const rejection = await client.api('deleteWebhook', { path }, 422);
    expect(rejection.errors).toEqual({ webhookId: ['No such destination.'] });
  });
});

describe('another owner', () => {
  it('can neither read nor change a destination of the platform', async () => {
    const headers = await connect();
    const { id } = await create();
    const path = { webhookId: id };

    await client.api('getWebhook', { path, headers }, 404);
    await client.api('updateWebhook', { path, headers, body: { enabled: false } }, 422);
    await client.api('deleteWebhook', { path, headers }, 422);
    await client.api('getWebhook', { path, key: 'key_live_emulator' }, 404);
    expect((await client.api('listWebhooks', { headers }, 200)).total_count).toBe(0);
    expect((await get(id)).enabled).toBe(true);
  });

  it('hides its destinations from the platform', async () => {
    const headers = await connect();
    const { id } = await create({}, headers);

    expect((await get(id, headers)).id).toBe(id);
    await client.api('getWebhook', { path: { webhookId: id } }, 404);
    expect((await client.api('listWebhooks', {}, 200)).total_count).toBe(0);
  });
});
