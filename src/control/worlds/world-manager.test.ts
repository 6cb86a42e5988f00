import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { URLS } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { startServer } from '../../testing/server.ts';
import { worldCalls } from '../../testing/worlds.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const { api, create, exported, names, textOf } = worldCalls(() => client);

describe('resetWorld', () => {
  it('empties a world and starts ids and ordinals again', async () => {
    const first = await create('Acme');
    expect(await api('resetWorld', { body: { to: 'empty' } })).toEqual({
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
    await api('advanceClock', { body: { by: 'P40D' } });
    await api('resetWorld');

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

    expect(Object.keys((await api('resetWorld', { body }, 422)).errors)).toEqual([field]);
    expect(await textOf()).toBe(before);
  });
});

describe('snapshots', () => {
  it('are listed by name, survive resets, and can be reset to', async () => {
    for (const name of ['b', 'a']) {
      await create(name);
      await api('saveSnapshot', { body: { name } }, 201);
    }
    await api('resetWorld', { body: { to: 'empty' } });
    const { items, total_count } = await api('listSnapshots');
    await api('resetWorld', { body: { to: 'snapshot', name: 'b' } });

    expect([items.map(({ name }: AnyBody) => name), total_count]).toEqual([['a', 'b'], 2]);
    expect(await names()).toEqual(['b']);
  });

  it.each(['', 'A', '../../x', 'x'.repeat(64), 7])('are rejected with the name %s', (name) =>
    api('saveSnapshot', { body: { name } }, 422),
  );
});

describe('a world during an advance of its clock', () => {
  it('rejects reset, restore, import and deletion with 409', async () => {
    const held: ServerResponse[] = [];
    const { url, close } = await startServer((_request, response) => held.push(response));
    const topic = 'subscription.activated';
    await client.api('createWebhook', { body: { url, topics: [topic] } }, 201);
    await api('saveSnapshot', { body: { name: 'one' } }, 201);
    const body = await exported();
    await client.api('testWebhooks', { path: { topic }, body: {} }, 202);
    const advance = api('advanceClock', { body: { by: 'PT1S' } });
    await eventually(() => held.length === 1);
    expect(await api('resetWorld', {}, 409)).toMatchObject({
      type: '/problems/conflict',
      title: 'The request conflicts with the current state.',
      status: 409,
      detail: 'An advance of the clock is in progress. Try again when it has ended.',
    });
    await api('resetWorld', { body: { to: 'snapshot', name: 'one' } }, 409);
    await api('importWorld', { body }, 409);
    await api('deleteSandbox', { query: { name: 'emulator' } }, 409);
    held[0]?.end();

    expect((await advance).now).toBe('2026-01-15T12:00:01.000Z');
    await close();
  });
});

describe('sandboxes', () => {
  const make = (body: object, status = 201) => api('createSandbox', { body }, status);

  it('are listed in order of name with their worlds', async () => {
    await create('A', 'key_test_b');
    await create('A', 'key_live_b');
    const { items, total_count } = await api('listSandboxes');

    expect(total_count).toBe(2);
    expect(items.map(({ name }: AnyBody) => name)).toEqual(['b', 'emulator']);
    expect(items[0]).toMatchObject({
      closes_at: null,
      worlds: [{ environment: 'test', records: { customers: 1 } }, { environment: 'live' }],
    });
  });

  it('get payment links of their own when copied', async () => {
    const { id: customerId } = await create('Acme');
    const urls = { return_url: 'https://a.example', failure_url: 'https://b.example' };
    const body = { customer_id: customerId, amount: 10, currency: 'USD', ...urls };
    const topUp = await client.api('createTopUp', { path: { customerId }, body }, 201);
    await make({ name: 'copy', sandbox: 'emulator' });
    const path = { id: topUp.id };
    const get = (key: string) => client.api('getTopUp', { path: { topUpId: topUp.id }, key });
    const copied = await get('key_test_copy');
    await api('settlePayment', { path, body: { outcome: 'succeeded' }, key: 'key_test_copy' });

    expect(copied.id).toBe(topUp.id);
    expect(copied.redirect_url).not.toBe(topUp.redirect_url);
    expect((await get('key_test_emulator')).status).toBe('initiated');
  });

  it('are deleted by their own key with 204, also with an unknown parameter and warnings of it', async () => {
    client = createTestClient({ unknown_fields: 'warn' });
    const key = 'key_test_b';
    await api('deleteSandbox', { key, query: { name: 'b', nam: 'b' } }, 204);

    expect(client.emulator.worlds.has(key)).toBe(false);
  });

  it('have valid keys even with keys set to listed', async () => {
    client = createTestClient({ keys: ['key_test_emulator'] });
    await client.send('listVendors', { key: 'key_test_b' }).then(({ status }) => {
      expect(status).toBe(401);
    });
    await make({ name: 'b' });

    expect(await names('key_test_b')).toEqual([]);
    await api('deleteSandbox', { query: { name: 'b' } }, 204);
    expect((await client.send('listVendors', { key: 'key_test_b' })).status).toBe(401);
  });

  it('are limited in number; deleting one makes room', async () => {
    client = createTestClient({ limits: { MAX_SANDBOXES: 2 } });
    await make({ name: 'b' });
    await make({ name: 'c' }, 503);
    await api('deleteSandbox', { query: { name: 'b' } }, 204);
    await make({ name: 'c' });
  });

  it.each<[object, string]>([
    [{ name: 'B' }, 'name'],
    [{ name: 'b', fixture: 'nowhere' }, 'fixture'],
    [{ name: 'b', snapshot: 'nowhere' }, 'snapshot'],
    [{ name: 'b', sandbox: 'nowhere' }, 'sandbox'],
    [{ name: 'b', sandbox: 'emulator', fixture: 'quickstart' }, 'fixture'],
    [{ name: 'b', time_to_live: 'soon' }, 'time_to_live'],
    [{ name: 'b', environment: 'prod' }, 'environment'],
  ])('are not created from %j: 422', async (body, field) => {
    expect(Object.keys((await make(body, 422)).errors)).toEqual([field]);
    expect((await api('listSandboxes')).total_count).toBe(1);
  });

  it('close after their time to live without a request', async () => {
    let now = 0;
    client = createTestClient({}, { machine: () => now });
    const { closes_at } = await make({ name: 'b', time_to_live: 'PT1H' });
    await create('A', 'key_test_b');
    now = 3_599_999;
    const used = await names('key_test_b');
    now = 2 * 3_599_999;
    const renewed = await names('key_test_b');
    now = 4 * 3_600_000;

    expect(closes_at).toBe('1970-01-01T01:00:00.000Z');
    expect([used, renewed]).toEqual([['A'], ['A']]);
    expect((await api('listSandboxes')).items.map(({ name }: AnyBody) => name)).toEqual([
      'emulator',
    ]);
    expect(await names('key_test_b')).toEqual([]);
  });
});

it('an import gets a new token for a link whose token another world has, and keeps all others', async () => {
  const client = createTestClient();
  const { api, exported, textOf } = worldCalls(() => client);
  const order = { amount: 20, currency: 'USD', ...URLS };
  const linkOf = async (key: string) => {
    const { id } = await client.api('createCustomer', { key, body: { name: 'Acme' } }, 201);
    const body = { customer_id: id, ...order };
    const { redirect_url } = await client.api('createTopUp', { key, body }, 201);
    return String(redirect_url).split('/').at(-1) as string;
  };
  const victim = await linkOf('key_test_victim');
  const own = await linkOf('key_test_emulator');
  await api('importWorld', { body: await exported() });
  expect(await textOf()).toContain(own);
  const body = JSON.parse((await textOf()).replaceAll(own, victim));
  await api('importWorld', { body });

  expect(await textOf()).not.toContain(victim);
  const [topUp] = (await exported())['tables'].top_ups;
  const paths = [victim, topUp.payment.token].map((token) => `/hosted/checkout/${token}/pay`);
  for (const path of paths)
    await client.http.post(path).type('form').send({ method: 'bank_debit' });
  const states = async (key: string) =>
    (await exported(key))['tables'].top_ups.map((row: AnyBody) => row.payment.method?.kind);
  expect(await states('key_test_victim')).toEqual(['bank_debit']);
  expect(await states('key_test_emulator')).toEqual(['bank_debit']);
});
