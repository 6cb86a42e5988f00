import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../main.ts';
import { handlers } from '../resources/index.ts';
import { loadDocument } from '../spec/document.ts';
import { createTestClient } from '../testing/client.ts';

const KEY = 'key_test_emulator';

const client = createTestClient();
const { http } = client;
const authorized = { Authorization: `Bearer ${KEY}` };

/** The operations of both APIs. */
const operations = [loadDocument('openapi'), loadDocument('control')].flatMap((document) => [
  ...document.operations.values(),
]);

/** Every path of both APIs, once for each of its parameters, with that parameter empty. */
function pathsWithAnEmptyParameter(): string[] {
  const paths = operations.flatMap(({ path }) =>
    [...path.matchAll(/\{\w+\}/g)].map(([parameter]) =>
      path.replace(parameter, '').replaceAll(/\{\w+\}/g, '1'),
    ),
  );
  return [...new Set(paths)];
}

describe('routing', () => {
  it.each(pathsWithAnEmptyParameter())(
    'returns 404 without a body for an empty parameter: %s',
    async (path) => {
      for (const method of ['get', 'post', 'put', 'patch', 'delete', 'options'] as const) {
        const response = await http[method](path).set(authorized);

        expect([response.status, response.text], method).toEqual([404, '']);
      }
    },
  );
});

describe('the API key', () => {
  const statusesFor = async (key: string): Promise<number[]> => {
    const bytes = Buffer.from(key).toString('latin1');
    const ways = [{ Authorization: `Bearer ${bytes}` }, { 'X-Service-Api-Key': bytes }];
    const send = (headers: Record<string, string>) => http.get('/accounts/self').set(headers);
    return (await Promise.all(ways.map(send))).map(({ status }) => status);
  };
  const test = (name: string) => `key_test_${name}`;

  it.each(['key_live_a', ...['a', '7', 'a-b', 'a--b-', '0'.repeat(63)].map(test)])(
    '%j is valid, as bearer or in a header of its own',
    async (key) => {
      expect(await statusesFor(key)).toEqual([200, 200]);
    },
  );

  it.each([
    'a',
    'key',
    'key_a',
    'key_prod_a',
    'KEY_test_a',
    'sk_test_a',
    ' ',
    ...['', '-a', '0'.repeat(64), 'A', 'ä', 'a_b', 'a.b', 'a b', 'a/b'].map(test),
  ])('%j is not valid', async (key) => {
    expect(await statusesFor(key)).toEqual([401, 401]);
  });

  it('must be in the setting keys unless that is empty', async () => {
    const listed = createTestClient({ keys: ['key_test_ci'] });

    expect((await listed.send('getAccountContext', { key: 'key_test_ci' })).status).toBe(200);
    expect((await listed.send('getAccountContext', { key: 'key_test_other' })).status).toBe(401);
  });

  it('gets 503 if it would open one sandbox too many', async () => {
    const full = createTestClient({ limits: { MAX_SANDBOXES: 1 } });
    await full.send('getAccountContext');

    const response = await full.send('getAccountContext', { key: 'key_test_more' });

    expect(response.status).toBe(503);
    expect(response.body.detail).toContain('All 1 sandboxes are in use.');
    expect((await full.send('getAccountContext', { key: 'key_live_emulator' })).status).toBe(200);
  });
});

describe('query validation', () => {
  it.each([
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['name=%ff', 'query'],
  ])('returns 400 that names the parameter: %s', async (query, name) => {
    const response = await http.get(`/customers?${query}`).set(authorized);

    expect(response.status).toBe(400);
    expect(response.body.detail).toContain(name);
  });
});

describe('a page', () => {
  it('accepts an offset up to the largest int64 and returns every digit, and rejects more', async () => {
    const largest = await http.get('/customers?offset=9223372036854775807').set(authorized);
    const beyond = await http.get('/customers?offset=9223372036854775808').set(authorized);

    expect([largest.status, largest.body.items]).toEqual([200, []]);
    expect(largest.text).toContain('"offset":9223372036854775807');
    expect(beyond.status).toBe(400);
  });
});

describe('a response', () => {
  it('echoes X-Request-Id, or generates an id if the given one is malformed', async () => {
    const first = await http.get('/vendors').set(authorized).set('X-Request-Id', 'mine-1');
    const second = await http.get('/vendors').set(authorized).set('X-Request-Id', 'a b');

    expect(first.headers['x-request-id']).toBe('mine-1');
    expect(second.headers['x-request-id']).toMatch(/^req_\d+$/);
  });

  it('has a Date from the clock of its world', async () => {
    const response = await http.get('/vendors').set(authorized);

    expect(response.headers['date']).toBe('Thu, 15 Jan 2026 12:00:00 GMT');
  });

  it('names the assumptions it depends on in X-Emulator-Assumptions', async () => {
    const response = await http.get('/assets').set(authorized);

    expect(response.headers['x-emulator-assumptions']).toMatch(/A-305/);
  });
});

describe('the setting service_name', () => {
  it('determines the name of the API key header', async () => {
    const acme = createTestClient({ service_name: 'Acme' });
    const named = (header: string) => acme.http.get('/accounts/self').set(header, KEY);

    expect((await named('X-Acme-Api-Key')).status).toBe(200);
    expect((await named('X-Service-Api-Key')).status).toBe(401);
  });
});

describe('a number in the query', () => {
  const listing = operations.filter(({ parameters }) => parameters.some((p) => p.name === 'limit'));

  it.each([
    ['99999999999999999999', 'Expected a number of a smaller magnitude.'],
    ['9'.repeat(400), 'Expected a number of a smaller magnitude.'],
    ['-9223372036854775808', 'Expected a number of a smaller magnitude.'],
    ['9223372036854775807', 'Expected 1000 or less.'],
    ['1e300', 'Expected a whole number.'],
  ])('is rejected by every list as a limit of %s', async (limit, message) => {
    expect(listing).toHaveLength(18);
    for (const { path } of listing) {
      const address = path.replaceAll(/\{\w+\}/g, '1');
      const response = await http.get(address).query({ limit }).set(authorized);

      expect([response.status, response.body.detail], path).toEqual([400, `limit: ${message}`]);
    }
  });
});

it('returns 400 for a page longer than the longest string, and keeps serving', async () => {
  const item = { id: 'vnd_1', name: 'x'.repeat(2 ** 20) };
  const items = Array.from({ length: 600 }, () => item);
  const large = { ...handlers, listVendors: () => ({ status: 200, body: { items } }) };
  const { handle } = createEmulator({
    settings: { fixture: '', log_level: 'silent' },
    handlers: large as unknown as typeof handlers,
  });

  const response = await supertest(handle).get('/vendors').set(authorized);

  expect(response.status).toBe(400);
  expect(response.body.detail).toContain('Request fewer items with `limit`.');
  expect((await supertest(handle).get('/customers').set(authorized)).status).toBe(200);
});

it('logs a defect in a world that was closed meanwhile, and returns 500', async () => {
  const defects: unknown[] = [];
  const log = {
    info: () => {},
    debug: () => {},
    error: (message: string) => defects.push(message),
  };
  const { handle, worlds } = createEmulator({
    settings: { fixture: '' },
    log,
    handlers: {
      ...handlers,
      createVendor() {
        worlds.close('emulator');
        throw new TypeError('wrong');
      },
    },
  });
  const body = { name: 'Vendor' };
  const response = await supertest(handle).post('/vendors').set(authorized).send(body);

  expect(defects).toEqual(['Defect in createVendor (POST /vendors)']);
  expect(response.status).toBe(500);
});

describe('X-Emulator-Hint', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no key', {}, 'No key is sent. Send Authorization: Bearer KEY, or X-Service-Api-Key: KEY.'],
    ['another header', { 'X-Api-Key': KEY }, 'No key is sent.'],
    ['no Bearer', { Authorization: KEY }, 'is not the word Bearer, a space and a key'],
    ['two keys', { ...authorized, 'X-Service-Api-Key': 'key_test_a' }, 'do not name the same key'],
    ['upper-case letters', { Authorization: 'Bearer Key_Test_Emulator' }, 'has upper-case letters'],
    ['another form', { Authorization: 'Bearer sk_live_1' }, 'A key is key_test_NAME'],
    ['an unknown account', { ...authorized, 'X-Service-Account': 'acc_1' }, 'no connected account'],
  ])('says what is wrong with a 401, whose body is empty: %s', async (_about, headers, hint) => {
    const lines: string[] = [];
    const log = { info: (line: string) => void lines.push(line), error() {}, debug() {} };
    const { http } = createTestClient({}, { log });
    const response = await http.get('/customers').set(headers);

    expect([response.status, response.text]).toEqual([401, '']);
    expect(response.headers['x-emulator-hint']).toContain(hint);
    expect(lines).toEqual([`GET /customers: ${response.headers['x-emulator-hint']}`]);
  });

  it('names the setting keys if the key is not in it', async () => {
    const { http } = createTestClient({ keys: ['key_test_ci'] });
    const { headers } = await http.get('/customers').set(authorized);

    expect(headers['x-emulator-hint']).toBe('The setting keys does not list the key.');
  });

  it.each([
    ['/customer', 'There is no such path. The nearest is /customers.'],
    ['/customers/', 'A path has no slash at its end.'],
    ['/v1/customers', 'A path has no prefix such as /v1.'],
    [
      '/customers/cust_1/walet',
      'There is no such path. The nearest is /customers/{customerId}/wallet.',
    ],
    ['/_emulator/clok', 'There is no such path. The nearest is /_emulator/clock.'],
    ['/entirely-other', 'There is no such path.'],
  ])('names the nearest path for a 404: %s', async (path, hint) => {
    const { http } = createTestClient();
    const { status, text, headers } = await http.get(path).set(authorized);

    expect([status, text, headers['x-emulator-hint']]).toEqual([404, '', hint]);
  });
});
