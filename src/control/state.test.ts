import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fixturesIn } from '../scenarios/read.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from '../testing/client.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const create = (name: string, key?: string) =>
  client.api('createCustomer', { body: { name }, ...(key && { key }) }, 201);
const names = async (key = 'key_test_emulator') =>
  (await client.api('listCustomers', { key }, 200)).items.map(({ name }: AnyBody) => name);
const control = (
  operation: Parameters<TestClient['control']>[0],
  parts: Parameters<TestClient['control']>[1] = {},
  status = 200,
) => client.control(operation, parts, status);
const exported = (key?: string) => control('exportWorld', key === undefined ? {} : { key });
const textOf = async () => (await client.send('exportWorld' as never)).text;

describe('resetWorld', () => {
  it('takes a world back to nothing, ids and ordinals included', async () => {
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

  it('takes a world back to what it opened with, without a body too', async () => {
    client = createTestClient({ fixture: 'quickstart' });
    const before = await textOf();
    await create('Extra');
    await control('advanceClock', { body: { by: 'P40D' } });
    await control('resetWorld');

    expect(await textOf()).toBe(before);
  });

  it('takes a world to a fixture of the library', async () => {
    await control('resetWorld', { body: { to: 'fixture', name: 'quickstart' } });

    expect(await names()).toHaveLength(2);
  });

  it('forgets the clock and the requests', async () => {
    await create('Acme');
    await control('advanceClock', { body: { by: 'P1D' } });
    await control('resetWorld', { body: { to: 'empty' } });

    expect((await control('getClock')).now).toBe(TEST_NOW);
    expect((await control('listRequests')).total_count).toBe(0);
  });

  it('leaves other worlds alone', async () => {
    await create('Mine', 'key_test_other');
    await control('resetWorld', { body: { to: 'empty' } });

    expect(await names('key_test_other')).toEqual(['Mine']);
  });

  it.each([
    [{ to: 'fixture', name: 'nowhere' }, 'name'],
    [{ to: 'fixture', name: '../../etc/passwd' }, 'name'],
    [{ to: 'fixture', name: '/etc/hosts.yaml' }, 'name'],
    [{ to: 'fixture' }, 'name'],
    [{ to: 'snapshot' }, 'name'],
    [{ to: 'snapshot', name: 'unknown' }, 'name'],
    [{ to: 'empty', name: 'x' }, 'name'],
    [{ name: 'x' }, 'name'],
    [{ to: 'nothing' }, 'to'],
    [{ too: 'empty' }, 'too'],
  ])('refuses %j and changes nothing', async (body, field) => {
    await create('Acme');
    const before = await textOf();

    expect(Object.keys((await control('resetWorld', { body }, 422)).errors)).toEqual([field]);
    expect(await textOf()).toBe(before);
  });
});

describe('snapshots', () => {
  it('bring back what the world held, again and again', async () => {
    await create('Acme');
    const saved = await control('saveSnapshot', { body: { name: 'one' } }, 201);
    expect(saved).toMatchObject({ name: 'one', saved_at: TEST_NOW, records: { customers: 1 } });

    for (let turn = 0; turn < 2; turn += 1) {
      await create('Later');
      await control('restoreSnapshot', { path: { name: 'one' } });
      expect(await names()).toEqual(['Acme']);
    }
  });

  it('are listed by name, outlive resets, and can be reset to', async () => {
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

  it('give way to one of the same name', async () => {
    await control('saveSnapshot', { body: { name: 'one' } }, 201);
    await create('Acme');
    await control('saveSnapshot', { body: { name: 'one' } }, 201);

    expect((await control('listSnapshots')).items).toEqual([
      expect.objectContaining({ records: expect.objectContaining({ customers: 1 }) }),
    ]);
  });

  it('belong to their world', async () => {
    await control('saveSnapshot', { body: { name: 'one' } }, 201);
    const key = 'key_test_other';

    await control('restoreSnapshot', { path: { name: 'one' }, key }, 404);
    await control('deleteSnapshot', { path: { name: 'one' }, key }, 404);
    await control('deleteSnapshot', { path: { name: 'one' } }, 204);
    expect((await control('listSnapshots')).items).toEqual([]);
  });

  it.each(['', 'A', '../x', 'x'.repeat(64), 7])('have no name such as %s', (name) =>
    control('saveSnapshot', { body: { name } }, 422),
  );
});

describe('a world with deliveries under way', () => {
  it('is reset, and they leave no trace', async () => {
    const held: ServerResponse[] = [];
    const receiver = createServer((_request, response) => held.push(response));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
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
    receiver.close();
  });
});

describe('a world that is on its way', () => {
  it('is neither reset nor restored nor replaced: 409', async () => {
    const held: ServerResponse[] = [];
    const receiver = createServer((_request, response) => held.push(response));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const topic = 'subscription.activated';
    await client.api('createWebhook', { body: { url, topics: [topic] } }, 201);
    await control('saveSnapshot', { body: { name: 'one' } }, 201);
    const body = await exported();
    await client.api('testWebhooks', { path: { topic }, body: {} }, 202);
    const advance = control('advanceClock', { body: { by: 'PT1S' } });
    await vi.waitUntil(() => held.length === 1);
    await control('resetWorld', {}, 409);
    await control('restoreSnapshot', { path: { name: 'one' } }, 409);
    await control('importWorld', { body }, 409);
    await control('deleteSandbox', { query: { name: 'emulator' } }, 409);
    held[0]?.end();

    expect((await advance).now).toBe('2026-01-15T12:00:01.000Z');
    receiver.close();
  });
});

describe('exportWorld and importWorld', () => {
  it('give the same text again, whatever it was imported into', async () => {
    client = createTestClient({ fixture: 'quickstart' });
    const text = await textOf();
    await control('resetWorld', { body: { to: 'empty' } });
    await control('importWorld', { body: JSON.parse(text) });

    expect(await textOf()).toBe(text);
    expect(text).toMatch(/\n {2}"tables": \{\n {4}"ordinals": \[\n {6}\{"id"/);
  });

  it('read an export as it was written, and in any other layout', async () => {
    client = createTestClient({ fixture: 'quickstart' });
    const text = await textOf();
    const send = (key: string, layout: string) =>
      client.http
        .post('/_emulator/import')
        .set({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })
        .send(layout);
    const layouts = [
      text,
      JSON.stringify(JSON.parse(text)),
      JSON.stringify(JSON.parse(text), null, 3),
    ];
    for (const layout of layouts) {
      await control('resetWorld', { body: { to: 'empty' } });
      expect((await send('key_test_emulator', layout)).status).toBe(200);
      expect(await textOf()).toBe(text);
    }
  });

  it.each<[string, (text: string) => string, number, string]>([
    ['cut short', (text) => text.slice(0, -40), 400, 'not valid JSON'],
    ['without a line', (text) => text.replace(/\n {4}\],\n/, '\n'), 400, 'not valid JSON'],
    ['with a comma too many', (text) => text.replace('\n    ]', ',\n    ]'), 400, 'not valid JSON'],
    ['with text behind it', (text) => `${text}{}`, 400, 'not valid JSON'],
    ['nested too deep', (text) => nest(text, 100), 400, 'nested deeper'],
    [
      'with text that no record may hold',
      (text) => text.replace('"name":"Acme"', '"name":"Ac\\u0000me"'),
      422,
      'tables.customers[0].name',
    ],
  ])('refuse an export %s and change nothing', async (_, spoil, status, said) => {
    client = createTestClient();
    await create('Acme');
    const text = await textOf();
    const response = await client.http
      .post('/_emulator/import')
      .set({ Authorization: 'Bearer key_test_emulator', 'Content-Type': 'application/json' })
      .send(spoil(text));

    expect([response.status, response.text]).toEqual([status, expect.stringContaining(said)]);
    expect(await textOf()).toBe(text);
  });

  it.each(fixturesIn('fixtures'))('carry %s over to the byte', async (fixture) => {
    client = createTestClient({ fixture });
    await control('getClock');
    const { worlds, dispatcher } = client.emulator;
    for (const world of worlds.values()) await dispatcher.idle(world);
    const text = await textOf();
    await control('resetWorld', { body: { to: 'empty' } });
    await control('importWorld', { body: JSON.parse(text) });

    expect(await textOf()).toBe(text);
  });

  it('go on with the ids where the exported world stood', async () => {
    await create('One');
    const body = await exported();
    const two = await create('Two');
    await control('importWorld', { body });

    expect((await create('Two')).id).toBe(two.id);
  });

  it('give the records of the platform to the world they come into', async () => {
    client = createTestClient({ fixture: 'quickstart' });
    const body = await exported();
    await control('importWorld', { body, key: 'key_live_other' });

    expect(await names('key_live_other')).toEqual(await names());
    expect((await exported('key_live_other')).sandbox).toBe('other');
  });

  it('give them to the same world under another seed too', async () => {
    client = createTestClient({ fixture: 'quickstart', seed: 'another' });
    const [body, known] = [await exported(), await names()];
    client = createTestClient();
    await control('importWorld', { body });

    expect(await names()).toEqual(known);
  });

  it.each<[string, (world: AnyBody) => unknown, string]>([
    ['another format', (world) => ({ ...world, format: 'zip' }), 'format'],
    ['a newer release', (world) => ({ ...world, schema_version: 99 }), 'schema_version'],
    ['an unknown field', (world) => ({ ...world, colour: 'red' }), 'colour'],
    ['an unknown table', (world) => change(world, 'colours', () => []), 'tables.colours'],
    [
      'a record without a field',
      (world) => change(world, 'customers', ([{ name: _, ...row }]) => [row]),
      'tables.customers[0].name',
    ],
    [
      'a field that no record has',
      (world) => change(world, 'customers', ([row]) => [{ ...row, colour: 'red' }]),
      'tables.customers[0].colour',
    ],
    [
      'an amount that is none',
      (world) => change(world, 'wallet_accounts', ([row]) => [{ ...row, available: 'much' }]),
      'tables.wallet_accounts[0].available',
    ],
    [
      'an id given twice',
      (world) => change(world, 'vendors', ([row]) => [row, row]),
      'tables.vendors[1].id',
    ],
    ['places past the last', (world) => ({ ...world, sequence: 1 }), 'tables.'],
    ['a clock that stands nowhere', (world) => ({ ...world, clock: { mode: 'frozen' } }), 'clock'],
    [
      'a balance that the ledger does not come to',
      (world) =>
        change(world, 'wallet_accounts', ([row, ...rest]) => [
          { ...row, available: '1000000' },
          ...rest,
        ]),
      'ledger: ',
    ],
    ['customers that are missing', (world) => change(world, 'customers', () => []), 'events: '],
    ['products that are missing', (world) => change(world, 'products', () => []), 'versions: '],
    [
      'a product without its newest version',
      (world) => change(world, 'products', ([row]) => [{ ...row, newest_version: 9 }]),
      'products: ',
    ],
    [
      'an id that is not made of its fields',
      (world) => change(world, 'assets', ([row]) => [{ ...row, id: 'credit' }]),
      'assets: credit',
    ],
    [
      'versions that are missing',
      (world) => change(world, 'versions', () => []),
      'subscriptions: ',
    ],
    [
      'an owner that is nobody',
      (world) => change(world, 'vendors', ([row]) => [{ ...row, owner: 'acc_nobody' }]),
      'vendors: ',
    ],
    ['numbers that start anew', (world) => change(world, 'ordinals', () => []), 'ordinals: '],
  ])('refuse %s and change nothing', async (_, spoil, field) => {
    client = createTestClient({ fixture: 'quickstart' });
    const before = await textOf();
    const body = spoil(JSON.parse(before)) as object;
    const { errors } = await control('importWorld', { body }, 422);

    expect(Object.keys(errors).join('\n')).toContain(field);
    expect(await textOf()).toBe(before);
  });
});

const nest = (text: string, levels: number): string =>
  text.replace('"name":"Acme"', `"name":${'['.repeat(levels)}${']'.repeat(levels)}`);

type Rows = readonly AnyBody[];

function change(world: AnyBody, table: string, spoil: (rows: Rows) => Rows): AnyBody {
  return { ...world, tables: { ...world.tables, [table]: spoil(world.tables[table] ?? []) } };
}

describe('sandboxes', () => {
  const make = (body: object, status = 201) => control('createSandbox', { body }, status);

  it('are listed by name with their worlds', async () => {
    await create('A', 'key_test_b');
    await create('A', 'key_live_b');
    const { items, total_count } = await control('listSandboxes');

    expect(total_count).toBe(2);
    expect(items.map(({ name }: AnyBody) => name)).toEqual(['b', 'emulator']);
    expect(items[0]).toMatchObject({
      closes_at: null,
      worlds: [{ environment: 'test', records: { customers: 1 } }, { environment: 'live' }],
    });
  });

  it('are made from a fixture, a snapshot or another sandbox, and reset to that', async () => {
    await create('Acme');
    await control('saveSnapshot', { body: { name: 'one' } }, 201);
    await create('Later');
    await make({ name: 'f', fixture: 'quickstart' });
    await make({ name: 's', snapshot: 'one' });
    await make({ name: 'c', sandbox: 'emulator' });
    await create('Extra', 'key_test_s');
    await control('resetWorld', { key: 'key_test_s' });

    expect(await names('key_test_f')).toHaveLength(2);
    expect(await names('key_test_s')).toEqual(['Acme']);
    expect(await names('key_test_c')).toEqual(['Later', 'Acme']);
  });

  it('have links of their own when they are copied', async () => {
    const { id: customerId } = await create('Acme');
    const urls = { return_url: 'https://a.example', failure_url: 'https://b.example' };
    const body = { customer_id: customerId, amount: 10, currency: 'USD', ...urls };
    const topUp = await client.api('createTopUp', { path: { customerId }, body }, 201);
    await make({ name: 'copy', sandbox: 'emulator' });
    const path = { id: topUp.id };
    const get = (key: string) => client.api('getTopUp', { path: { topUpId: topUp.id }, key }, 200);
    const copied = await get('key_test_copy');
    await control('settlePayment', { path, body: { outcome: 'succeeded' }, key: 'key_test_copy' });

    expect(copied.id).toBe(topUp.id);
    expect(copied.redirect_url).not.toBe(topUp.redirect_url);
    expect((await get('key_test_emulator')).status).toBe('initiated');
  });

  it('are forgotten when they are deleted', async () => {
    await create('A', 'key_test_b');
    await control('deleteSandbox', { query: { name: 'b' } }, 204);
    await control('deleteSandbox', { query: { name: 'b' } }, 404);

    expect(await names('key_test_b')).toEqual([]);
  });

  it('are made once: 409', async () => {
    await make({ name: 'b' });
    await make({ name: 'b' }, 409);
  });

  it('have valid keys even where only listed keys are', async () => {
    client = createTestClient({ keys: 'listed', key_list: ['key_test_emulator'] });
    await client.send('listVendors', { key: 'key_test_b' }).then(({ status }) => {
      expect(status).toBe(401);
    });
    await make({ name: 'b' });

    expect(await names('key_test_b')).toEqual([]);
    await control('deleteSandbox', { query: { name: 'b' } }, 204);
    expect((await client.send('listVendors', { key: 'key_test_b' })).status).toBe(401);
  });

  it('find no room past the limit, and leave some when one is deleted', async () => {
    client = createTestClient({ max_sandboxes: 2 });
    await make({ name: 'b' });
    await make({ name: 'c' }, 503);
    await control('deleteSandbox', { query: { name: 'b' } }, 204);
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
  ])('are not made of %j', async (body, field) => {
    expect(Object.keys((await make(body, 422)).errors)).toEqual([field]);
    expect((await control('listSandboxes')).total_count).toBe(1);
  });

  it('close when they were not used for their time to live', async () => {
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
    expect((await control('listSandboxes')).items.map(({ name }: AnyBody) => name)).toEqual([
      'emulator',
    ]);
    expect(await names('key_test_b')).toEqual([]);
  });
});
