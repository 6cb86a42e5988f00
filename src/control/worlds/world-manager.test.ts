import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';
import { startServer } from '../../testing/server.ts';
import { worldCalls } from '../../testing/worlds.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const { control, create, exported, names, textOf } = worldCalls(() => client);

describe('resetWorld', () => {
  it('empties a world and starts ids and ordinals anew', async () => {
    const first = await create('Acme');
    expect(await control('resetWorld', { body: { to: 'empty' } })).toEqual({
      sandbox: 'emulator',
      environment: 'test',
      now: TEST_NOW,
      mode: 'frozen',
      requests: 0,
      records: {},
    });

    const response = await client.send('createCustomer', { body: { name: 'Other' } });
    expect(response.body.id).toBe(first.id);
    expect(response.headers['x-request-id']).toBe('req_1');
  });

  it('without a body, restores the state in which the world opened', async () => {
    client = createTestClient({ fixture: 'quickstart' });
    const before = await textOf();
    await create('Extra');
    await control('advanceClock', { body: { by: 'P40D' } });
    await control('resetWorld');

    expect(await textOf()).toBe(before);
  });

  it.each([
    [{ to: 'fixture', name: 'nowhere' }, 'name'],
    [{ to: 'fixture', name: '../../../etc/passwd' }, 'name'],
    [{ to: 'fixture', name: '/etc/hosts.yaml' }, 'name'],
    [{ to: 'fixture' }, 'name'],
    [{ to: 'snapshot' }, 'name'],
    [{ to: 'snapshot', name: 'unknown' }, 'name'],
    [{ to: 'empty', name: 'x' }, 'name'],
    [{ name: 'x' }, 'name'],
    [{ to: 'nothing' }, 'to'],
    [{ too: 'empty' }, 'too'],
  ])('rejects %j with 422 and changes nothing', async (body, field) => {
    await create('Acme');
    const before = await textOf();

    expect(Object.keys((await control('resetWorld', { body }, 422)).errors)).toEqual([field]);
    expect(await textOf()).toBe(before);
  });
});

describe('snapshots', () => {
  it('are listed by name, survive resets, and can be reset to', async () => {
    for (const name of ['b', 'a']) {
      await create(name);
      await control('saveSnapshot', { body: { name } }, 201);
    }
    await control('resetWorld', { body: { to: 'empty' } });
    const { items, total_count } = await control('listSnapshots');
    await control('resetWorld', { body: { to: 'snapshot', name: 'b' } });

    expect([items.map(({ name }: AnyBody) => name), total_count]).toEqual([['a', 'b'], 2]);
    expect(await names()).toEqual(['b']);
  });

  it.each(['', 'A', '../../x', 'x'.repeat(64), 7])('are rejected with the name %s', (name) =>
    control('saveSnapshot', { body: { name } }, 422),
  );
});

describe('a world with a delivery in progress', () => {
  it('is reset, and the delivery leaves no record', async () => {
    const held: ServerResponse[] = [];
    const { url, close } = await startServer((_request, response) => held.push(response));
    const topic = 'subscription.activated';
    await client.api('createWebhook', { body: { url, topics: [topic] } }, 201);
    await client.api('testWebhooks', { path: { topic }, body: {} }, 202);
    await vi.waitUntil(() => held.length === 1);
    const reset = await control('resetWorld', { body: { to: 'empty' } });
    held[0]?.end();
    const { worlds, dispatcher } = client.emulator;
    for (const world of worlds.values()) await dispatcher.idle(world);

    expect(reset.records).toEqual({});
    expect((await control('listDeliveries')).total_count).toBe(0);
    expect((await exported()).tables).toEqual({});
    await close();
  });
});

describe('a world during an advance of its clock', () => {
  it('rejects reset, restore, import and deletion with 409', async () => {
    const held: ServerResponse[] = [];
    const { url, close } = await startServer((_request, response) => held.push(response));
    const topic = 'subscription.activated';
    await client.api('createWebhook', { body: { url, topics: [topic] } }, 201);
    await control('saveSnapshot', { body: { name: 'one' } }, 201);
    const body = await exported();
    await client.api('testWebhooks', { path: { topic }, body: {} }, 202);
    const advance = control('advanceClock', { body: { by: 'PT1S' } });
    await vi.waitUntil(() => held.length === 1);
    expect(await control('resetWorld', {}, 409)).toMatchObject({
      type: '/problems/conflict',
      title: 'The request conflicts with the current state.',
      status: 409,
      detail: 'An advance of the clock is in progress. Try again when it has ended.',
    });
    await control('resetWorld', { body: { to: 'snapshot', name: 'one' } }, 409);
    await control('importWorld', { body }, 409);
    await control('deleteSandbox', { query: { name: 'emulator' } }, 409);
    held[0]?.end();

    expect((await advance).now).toBe('2026-01-15T12:00:01.000Z');
    await close();
  });
});
