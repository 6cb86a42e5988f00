import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../main.ts';
import { handlers } from '../resources/index.ts';
import { createTestClient } from '../testing/client.ts';

const authorized = { Authorization: 'Bearer key_test_emulator' };

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
    ...{ settings: { fixture: '' }, log },
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

const KEY = 'key_test_emulator';
const BEARER = { Authorization: `Bearer ${KEY}` };

describe('X-Emulator-Hint', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no key', {}, 'No key is sent. Send Authorization: Bearer KEY, or X-Service-Api-Key: KEY.'],
    ['another header', { 'X-Api-Key': KEY }, 'No key is sent.'],
    ['no Bearer', { Authorization: KEY }, 'does not begin with the word Bearer'],
    ['two keys', { ...BEARER, 'X-Service-Api-Key': 'key_test_a' }, 'do not name the same key'],
    ['capital letters', { Authorization: 'Bearer Key_Test_Emulator' }, 'has capital letters'],
    ['another form', { Authorization: 'Bearer sk_live_1' }, 'A key is key_test_NAME'],
    ['an unknown account', { ...BEARER, 'X-Service-Account': 'acc_1' }, 'no connected account'],
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
    const { headers } = await http.get('/customers').set(BEARER);

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
    const { status, text, headers } = await http.get(path).set(BEARER);

    expect([status, text, headers['x-emulator-hint']]).toEqual([404, '', hint]);
  });
});
