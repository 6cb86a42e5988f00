import { afterEach, describe, expect, it } from 'vitest';
import { asNewAccount, createTestClient, worldOf } from '../testing/client.ts';
import { imageOf } from '../testing/worlds.ts';

const KEY = 'key_test_emulator';
const JSON_TYPE = 'application/json';

const client = createTestClient();
const { http, emulator } = client;
const authorized = { Authorization: `Bearer ${KEY}` };

/** Everything the default world holds, to check that a rejected request changes nothing. */
function stateOf(): string {
  const { tables, sequence } = imageOf(worldOf(emulator));
  return JSON.stringify({ tables, sequence });
}

function post(path: string, body: string) {
  return http.post(path).set(authorized).set('Content-Type', JSON_TYPE).send(body);
}

describe('a request body', () => {
  const before = stateOf();
  afterEach(() => {
    expect(stateOf(), 'what was refused left no trace').toBe(before);
  });

  it('gets an error that shows 200 characters of a longer unknown field name', async () => {
    const { body } = await post(
      '/customers',
      JSON.stringify({ name: 'A', ['n'.repeat(5_000)]: 1 }),
    );

    expect(body.errors).toEqual({ [`${'n'.repeat(200)}…`]: ['There is no such field.'] });
  });

  it.each<[path: string, body: object, errors: Record<string, string[]>]>([
    [
      '/customers/cust_1/wallet/adjustments',
      {
        transaction_id: '68e8980c-fd79-46ea-be14-0e9f2be7df0a',
        asset: 'USD',
        amount: 0,
        reason: 'gift',
      },
      { amount: ['Expected a number other than 0.'] },
    ],
    [
      '/customers',
      { name: 'A', metadata: { '': 'x', ['k'.repeat(300)]: 'x' } },
      {
        metadata: [
          'The key "": Expected at least 1 character.',
          `The key "${'k'.repeat(200)}…": Expected at most 64 characters.`,
        ],
      },
    ],
    ['/_emulator/webhooks/replay', {}, { '': ['Expected a delivery_id, or a filter.'] }],
    [
      '/_emulator/clock/advance',
      { until: 'x' },
      { until: ['Expected one of: next, delivered, null.'] },
    ],
  ])('gets an error that says what was expected: %s %j', async (path, body, errors) => {
    expect((await post(path, JSON.stringify(body))).body.errors).toEqual(errors);
  });

  it('gets an error that names a byte order mark at its beginning', async () => {
    const { status, body } = await post('/customers', '\uFEFF{"name": "Acme"}');

    expect([status, body.detail]).toEqual([
      400,
      'The body is not valid JSON: It begins with the byte order mark U+FEFF.',
    ]);
  });

  it.each<[string, string, string]>([
    ['an escaped NUL', String.raw`{"name": "a\u0000"}`, 'name'],
    ['a lone surrogate', String.raw`{"name": "a\ud800"}`, 'name'],
    ['__proto__ where no field of that name is', '{"name": "Acme", "__proto__": {}}', '__proto__'],
    ['a field without a name', '{"name": "Acme", "": 1}', '""'],
  ])('is rejected with 422 that names the field: %s', async (_, body, field) => {
    const response = await post('/customers', body);

    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ type: '/problems/validation', status: 422 });
    expect(Object.keys(response.body.errors)).toEqual([field]);
  });

  it('with text of another pattern gets the pattern in words where the document has them', async () => {
    const response = await post('/assets', '{"code": "a", "name": "A"}');

    expect(response.body.errors.code).toEqual([
      'Expected 2 to 64 upper-case letters and digits, such as USD or CREDIT.',
    ]);
  });

  it('keeps __proto__ and constructor as metadata keys, and the last of duplicate keys', async () => {
    const own = createTestClient().http;
    const body =
      '{"name": "first", "name": "Acme", "metadata": {"__proto__": "a", "constructor": "b"}}';
    const sent = own.post('/customers').set(authorized).set('Content-Type', JSON_TYPE).send(body);
    const { id } = (await sent).body;
    const text = (await own.get(`/customers/${id}`).set(authorized)).text;

    expect(text).toContain('"name":"Acme"');
    expect(text).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
  });

  it('may have unknown fields and parameters if unknown_fields is ignore', async () => {
    const lenient = createTestClient({ unknown_fields: 'ignore' });
    const body = {
      name: 'Acme',
      nickname: 'A',
      external_accounts: [{ provider: 'p', provider_id: 'i', x: 1 }],
    };

    expect((await lenient.send('createCustomer', { body })).status).toBe(201);
    expect((await lenient.send('createCustomer', { body: { nickname: 'A' } })).status).toBe(422);
    expect((await lenient.send('listVendors', { query: { colour: 'red' } })).status).toBe(200);
    expect((await lenient.api('listWarnings')).total_count).toBe(0);
  });

  it('with unknown fields or parameters adds warnings if unknown_fields is warn', async () => {
    const warning = createTestClient({ unknown_fields: 'warn' });
    await warning.api('createCustomer', { body: { name: 'Acme', nickname: 'A' } }, 201);
    await warning.api('listVendors', { query: { limits: 5 } });
    await warning.api('getClock', { query: { zone: 'CET' } });
    await warning.api('createCustomer', { body: { colour: 'red' } }, 422);
    const { items } = await warning.api('listWarnings', { query: { kind: 'unknown_field' } });

    expect(items.map(({ field }: { field: string }) => field)).toEqual([
      'zone',
      'limits',
      'nickname',
    ]);
    expect(items[1].message).toMatch(/^listVendors: limits: .*Did you mean limit\?/);
  });

  it('of a reset adds its warnings to the new state, also if the account of the request is gone', async () => {
    const warning = createTestClient({ unknown_fields: 'warn' });
    const headers = await asNewAccount(warning.api);
    await warning.api('resetWorld', { headers, body: { too: 'empty' } });
    const { items } = await warning.api('listWarnings');

    expect(items.map(({ field }: { field: string }) => field)).toEqual(['too']);
    const body = await warning.api('exportWorld');
    await warning.api('importWorld', { body });
  });
});
