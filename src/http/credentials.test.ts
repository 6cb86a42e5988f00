import { describe, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';

const KEY = 'key_test_emulator';
const JSON_TYPE = 'application/json';

const client = createTestClient();
const { http, api } = client;
const authorized = { Authorization: `Bearer ${KEY}` };

describe('the API key', () => {
  const bad = [
    '',
    'key_test_',
    'key_prod_acme',
    'key_test_Acme',
    'key_test_emulator!',
    'sk_test_x',
    `key_test_${'a'.repeat(64)}`,
  ];

  it.each(bad)('is rejected with an empty 401 if malformed: %j', async (key) => {
    const response = await http.get('/customers').set('X-Service-Api-Key', key);

    expect(response.status).toBe(401);
    expect(response.text).toBe('');
  });

  it('is required: a request without one gets 401', async () => {
    expect((await http.get('/customers')).status).toBe(401);
  });

  it('is checked before body, query, method and path', async () => {
    expect(
      (await http.post('/customers').set('Content-Type', JSON_TYPE).send('{"broken')).status,
    ).toBe(401);
    expect((await http.get('/customers?limit=x')).status).toBe(401);
    expect((await http.get('/nowhere')).status).toBe(401);
    expect((await http.put('/customers')).status).toBe(401);
  });

  it('is accepted in its own header and as a bearer token, and rejected if they differ', async () => {
    const own = () => http.get('/accounts/self').set('X-Service-Api-Key', KEY);

    expect((await own()).status).toBe(200);
    expect((await http.get('/accounts/self').set(authorized)).status).toBe(200);
    expect((await own().set('Authorization', `Bearer ${KEY}`)).status).toBe(200);
    expect((await own().set('Authorization', 'Bearer key_live_emulator')).status).toBe(401);
    expect((await own().set('Authorization', 'Basic abc')).status).toBe(401);
  });

  it('opens a world that other keys cannot read', async () => {
    const created = await api(
      'createCustomer',
      { body: { name: 'Acme' }, key: 'key_test_one' },
      201,
    );

    await api('getCustomer', { path: { customerId: created.id }, key: 'key_test_one' }, 200);
    await api('getCustomer', { path: { customerId: created.id }, key: 'key_test_two' }, 404);
    await api('getCustomer', { path: { customerId: created.id }, key: 'key_live_one' }, 404);
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
