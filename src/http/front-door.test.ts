import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';

const KEY = 'key_test_emulator';
const JSON_TYPE = 'application/json';

const client = createTestClient();
const { http, api, emulator } = client;
const authorized = { Authorization: `Bearer ${KEY}` };

/** Everything the default world holds, to see that a refusal leaves no trace. */
function stateOf(): string {
  const { tables, sequence } = (
    emulator.worlds.find(KEY) as NonNullable<ReturnType<typeof emulator.worlds.find>>
  ).image();
  return JSON.stringify({ tables, sequence });
}

function post(path: string, body: string | Buffer, type: string = JSON_TYPE) {
  return http.post(path).set(authorized).set('Content-Type', type).send(body);
}

describe('the key', () => {
  const bad = [
    '',
    'key_test_',
    'key_prod_acme',
    'key_test_Acme',
    'key_test_emulator!',
    'sk_test_x',
    `key_test_${'a'.repeat(64)}`,
  ];

  it.each(bad)('is refused when malformed: %j', async (key) => {
    const response = await http.get('/customers').set('X-Service-Api-Key', key);

    expect(response.status).toBe(401);
    expect(response.text).toBe('');
  });

  it('is missing', async () => {
    expect((await http.get('/customers')).status).toBe(401);
  });

  it('is judged before body, query, method and existence', async () => {
    expect(
      (await http.post('/customers').set('Content-Type', JSON_TYPE).send('{"broken')).status,
    ).toBe(401);
    expect((await http.get('/customers?limit=x')).status).toBe(401);
    expect((await http.get('/nowhere')).status).toBe(401);
    expect((await http.put('/customers')).status).toBe(401);
  });

  it('is accepted in its own header and as a bearer token, and refused when they differ', async () => {
    const own = () => http.get('/accounts/self').set('X-Service-Api-Key', KEY);

    expect((await own()).status).toBe(200);
    expect((await http.get('/accounts/self').set(authorized)).status).toBe(200);
    expect((await own().set('Authorization', `Bearer ${KEY}`)).status).toBe(200);
    expect((await own().set('Authorization', 'Bearer key_live_emulator')).status).toBe(401);
    expect((await own().set('Authorization', 'Basic abc')).status).toBe(401);
  });

  it('opens a world of its own', async () => {
    const created = await api(
      'createCustomer',
      { body: { name: 'Acme' }, key: 'key_test_one' },
      201,
    );

    await api('getCustomer', { path: { customerId: created.id }, key: 'key_test_one' }, 200);
    await api('getCustomer', { path: { customerId: created.id }, key: 'key_test_two' }, 404);
    await api('getCustomer', { path: { customerId: created.id }, key: 'key_live_one' }, 404);
  });

  it('is among those listed when only those are valid', async () => {
    const listed = createTestClient({ keys: 'listed', key_list: ['key_test_ci'] });

    expect((await listed.send('getAccountContext', { key: 'key_test_ci' })).status).toBe(200);
    expect((await listed.send('getAccountContext', { key: 'key_test_other' })).status).toBe(401);
  });

  it('finds no room for a sandbox too many, and says how to make some', async () => {
    const full = createTestClient({ max_sandboxes: 1 });
    await full.send('getAccountContext');

    const response = await full.send('getAccountContext', { key: 'key_test_more' });

    expect(response.status).toBe(503);
    expect(response.body.detail).toContain('max_sandboxes');
    expect((await full.send('getAccountContext', { key: 'key_live_emulator' })).status).toBe(200);
  });
});

describe('the route', () => {
  it('is unknown', async () => {
    const response = await http.get('/nowhere').set(authorized);

    expect([response.status, response.text]).toEqual([404, '']);
  });

  it('does not answer this method', async () => {
    const response = await http.put('/customers').set(authorized);

    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
    expect(response.body.type).toBe('/problems/method-not-allowed');
  });

  it('does not answer this method at a literal path, though a parameter would', async () => {
    const response = await http.patch('/customers/stats').set(authorized).send({});

    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('answers HEAD as GET without the body', async () => {
    const response = await http.head('/customers').set(authorized);

    expect([response.status, response.text]).toEqual([200, undefined]);
    expect(Number(response.headers['content-length'])).toBeGreaterThan(10);
  });

  it('answers OPTIONS without a key', async () => {
    const response = await http.options('/customers');

    expect([response.status, response.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it.each(['/customers/%zz', '/customers/%e4', '/tasks/%'])(
    'has malformed escapes: %s',
    async (path) => {
      expect((await http.get(path).set(authorized)).status).toBe(400);
    },
  );

  it.each([
    ['/products/versions', 200],
    ['/customers/stats', 200],
    ['/accounts/self', 200],
    ['/webhooks/events', 200],
  ])('prefers the literal segment: %s', async (path, status) => {
    expect((await http.get(path).set(authorized)).status).toBe(status);
  });

  it.each([
    'prp_00000000000000000000000000',
    '%00',
    'a'.repeat(5000),
    '..%2f..',
    '__proto__',
    'constructor',
  ])('leads to nothing under a strange id: %s', async (id) => {
    expect((await http.get(`/customers/${id}`).set(authorized)).status).toBe(404);
  });
});

describe('a body', () => {
  const before = stateOf();
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each<[string, string | Buffer, string?]>([
    ['truncated', '{"name": "Ac'],
    ['empty', ''],
    ['no object', '[1]'],
    ['null', 'null'],
    ['text', '"name"'],
    ['nested too deep', nested(65)],
    ['nested ten thousand deep', nested(10_000)],
    ['brackets only', '['.repeat(100_000)],
    ['another content type', '{"name": "Acme"}', 'text/plain'],
    ['a form', 'name=Acme', 'application/x-www-form-urlencoded'],
    ['another charset', '{"name": "Acme"}', 'application/json; charset=latin1'],
    ['a NUL', '{"name": "\u0000"}'],
  ])('cannot be understood: %s', async (_, body, type) => {
    const response = await post('/customers', body, type);

    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe(JSON_TYPE);
    expect(response.body).toMatchObject({ type: '/problems/bad-request', status: 400 });
    expect(response.body.detail).toMatch(/\S/);
  });

  it.each<[string, string, string]>([
    ['a missing field', '{}', 'name'],
    ['a number for a string', '{"name": 1}', 'name'],
    ['empty text', '{"name": ""}', 'name'],
    ['100,000 characters', `{"name": "${'x'.repeat(100_000)}"}`, 'name'],
    ['an escaped NUL', String.raw`{"name": "a\u0000"}`, 'name'],
    ['a lone surrogate', String.raw`{"name": "a\ud800"}`, 'name'],
    ['no email', '{"name": "Acme", "email": "nobody"}', 'email'],
    ['an unknown field', '{"name": "Acme", "externalid": "x"}', 'externalid'],
    ['__proto__ where no field of that name is', '{"name": "Acme", "__proto__": {}}', '__proto__'],
    ['a wrong metadata value', '{"name": "Acme", "metadata": {"a": 1}}', 'metadata.a'],
  ])('is not acceptable: %s', async (_, body, field) => {
    const response = await post('/customers', body);

    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ type: '/problems/validation', status: 422 });
    expect(Object.keys(response.body.errors)).toEqual([field]);
  });

  it('names the field that was meant', async () => {
    const response = await post('/customers', '{"name": "Acme", "external_ids": "x"}');

    expect(response.body.errors.external_ids).toEqual([
      'There is no such field. Did you mean external_id?',
    ]);
  });

  it('reports all findings at once', async () => {
    const response = await post('/assets', '{"code": "a", "precision": 11, "rates": [{}], "x": 1}');

    expect(Object.keys(response.body.errors).sort()).toEqual([
      'code',
      'name',
      'precision',
      'rates[0].rate',
      'rates[0].source',
      'x',
    ]);
  });

  it.each(['1e308', '1e15', '0.1234567890123', '-1e15', '1234567890.1234567', '"1"'])(
    'has a number that is no amount: %s',
    async (number) => {
      const response = await post('/assets/USD/quote', `{"source": "USD", "amount": ${number}}`);

      expect(response.status).toBe(422);
      expect(Object.keys(response.body.errors)).toEqual(['amount']);
    },
  );

  it('leaves no trace when it is refused', () => {
    expect(stateOf()).toBe(before);
  });

  it('has plain keys in free maps and the last of duplicate keys', async () => {
    const body =
      '{"name": "first", "name": "Acme", "metadata": {"__proto__": "a", "constructor": "b"}}';
    const { id } = (await post('/customers', body)).body;
    const text = (await http.get(`/customers/${id}`).set(authorized)).text;

    expect(text).toContain('"name":"Acme"');
    expect(text).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
  });

  it('is too large', async () => {
    const small = createTestClient({ body_limit: 100 });
    const response = await small.send('createCustomer', { body: { name: 'x'.repeat(200) } });

    expect(response.status).toBe(413);
    expect(response.body.detail).toContain('100 bytes');
  });

  it('keeps or drops unknown fields as the setting says', async () => {
    const lenient = createTestClient({ unknown_fields: 'ignore' });
    const body = {
      name: 'Acme',
      nickname: 'A',
      external_accounts: [{ provider: 'p', provider_id: 'i', x: 1 }],
    };

    expect((await lenient.send('createCustomer', { body })).status).toBe(201);
    expect((await lenient.send('createCustomer', { body: { nickname: 'A' } })).status).toBe(422);
    expect((await lenient.send('listVendors', { query: { colour: 'red' } })).status).toBe(200);
    expect((await lenient.control('listWarnings', {}, 200)).total_count).toBe(0);
  });

  it('lists unknown fields and parameters in the warnings where the setting says so', async () => {
    const warning = createTestClient({ unknown_fields: 'warn' });
    await warning.api('createCustomer', { body: { name: 'Acme', nickname: 'A' } }, 201);
    await warning.api('listVendors', { query: { limits: 5 } }, 200);
    await warning.control('getClock', { query: { zone: 'CET' } }, 200);
    await warning.api('createCustomer', { body: { colour: 'red' } }, 422);
    const { items } = await warning.control(
      'listWarnings',
      { query: { kind: 'unknown_field' } },
      200,
    );

    expect(items.map(({ field }: { field: string }) => field)).toEqual([
      'zone',
      'limits',
      'nickname',
    ]);
    expect(items[1].message).toMatch(/^listVendors: limits: .*Did you mean limit\?/);
  });
});

describe('a query', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1e3', 'offset'],
    ['status=paused', 'status'],
    ['limits=5', 'limits'],
    ['name=%ff', 'query'],
  ])('cannot be understood: %s', async (query, name) => {
    const response = await http.get(`/customers?${query}`).set(authorized);

    expect(response.status).toBe(400);
    expect(response.body.detail).toContain(name);
  });
});

describe('a page', () => {
  it('takes every whole number of an int64 as its offset, and answers it to the last digit', async () => {
    const largest = await http.get('/customers?offset=9223372036854775807').set(authorized);
    const beyond = await http.get('/customers?offset=9223372036854775808').set(authorized);

    expect([largest.status, largest.body.items]).toEqual([200, []]);
    expect(largest.text).toContain('"offset":9223372036854775807');
    expect(beyond.status).toBe(400);
  });
});

describe('an answer', () => {
  it('carries the request id of the caller, or one of its own', async () => {
    const first = await http.get('/vendors').set(authorized).set('X-Request-Id', 'mine-1');
    const second = await http.get('/vendors').set(authorized).set('X-Request-Id', 'a b');

    expect(first.headers['x-request-id']).toBe('mine-1');
    expect(second.headers['x-request-id']).toMatch(/^req_\d+$/);
  });

  it('is dated by the clock of its world', async () => {
    const response = await http.get('/vendors').set(authorized);

    expect(response.headers['date']).toBe('Thu, 15 Jan 2026 12:00:00 GMT');
  });

  it('names the assumptions that it rests on', async () => {
    const response = await http.get('/assets').set(authorized);

    expect(response.headers['x-emulator-assumptions']).toMatch(/A-305/);
  });
});

describe('the service name', () => {
  it('forms the header names', async () => {
    const acme = createTestClient({ service_name: 'Acme' });
    const named = (header: string) => acme.http.get('/accounts/self').set(header, KEY);

    expect((await named('X-Acme-Api-Key')).status).toBe(200);
    expect((await named('X-Service-Api-Key')).status).toBe(401);
  });
});

describe('a connection', () => {
  const server = createServer(emulator.handle);
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('brings bytes that are not UTF-8', async () => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/customers`, {
      method: 'POST',
      headers: { ...authorized, 'Content-Type': JSON_TYPE },
      body: Buffer.from('{"name": "\xff"}', 'latin1'),
    });

    expect(response.status).toBe(400);
    expect(await response.text()).toContain('UTF-8');
  });

  it('breaks off and leaves the emulator answering', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`,
          () => {
            socket.destroy();
            resolve();
          },
        );
      });
    });

    const response = await fetch(`http://127.0.0.1:${port}/customers`, { headers: authorized });

    expect(response.status).toBe(200);
  });
});
