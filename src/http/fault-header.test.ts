import { describe, expect, it } from 'vitest';
import { loadDocument } from '../spec/document.ts';
import { validatorsOf } from '../spec/validators.ts';
import { createTestClient, worldOf } from '../testing/client.ts';

const client = createTestClient();
const world = worldOf(client.emulator);
const customers = () => world.tables.customers.size;

/** Sends createCustomer with the header X-Emulator-Fault. */
function ask(fault: string) {
  const headers = { 'X-Emulator-Fault': fault };
  return client.send('createCustomer', { body: { name: 'Ada' }, headers });
}

describe('the header X-Emulator-Fault', () => {
  it('forces a status for this request only, and changes nothing', async () => {
    const before = customers();

    const response = await ask('status=422');

    expect(response.status).toBe(422);
    expect(response.body.type).toBe('/problems/validation');
    expect(response.headers).toMatchObject({
      'x-emulator-fault': 'asked for: status=422',
      'x-emulator-state': 'unchanged',
    });
    expect(customers()).toBe(before);
    await client.api('createCustomer', { body: { name: 'Ada' } }, 201);
  });

  it('adds latency, with or without a status', async () => {
    const begin = performance.now();

    const late = await ask('latency=60ms');
    const refused = await ask('status=503,latency=60ms');

    expect([late.status, refused.status]).toEqual([201, 503]);
    expect(performance.now() - begin).toBeGreaterThan(115);
    expect(late.headers['x-emulator-fault']).toBe('asked for: latency=60ms');
  });

  it('forces a rate limit: 429 with Retry-After', async () => {
    const response = await ask('rate_limit=90s');

    expect([response.status, response.headers['retry-after']]).toEqual([429, '90']);
  });

  it('overrides the fault rules, which do not count the request', async () => {
    const rules = [{ status: 503 }];
    await client.api('setFaults', { body: { rules } });

    expect((await ask('status=401')).status).toBe(401);
    const report = await client.api('listFaults');
    expect(report.rules[0]).toMatchObject({ seen: 0, applied: 0 });
    await client.api('setFaults', { body: { rules: [] } });
  });

  it.each([
    ['', 'status: Expected an effect'],
    ['statu=422', 'There is no "statu", did you mean status?'],
    ['status=422;latency=1s', 'status: Expected a number from 200 to 599.'],
    ['status=99', 'status: Expected a number from 200 to 599.'],
    ['latency=2h', 'latency: Expected a duration of at most an hour'],
    ['latency=2s..1s', 'latency: Expected a duration of at most an hour'],
    ['connection=slow', 'connection: Expected reset, empty or truncated.'],
    ['rate_limit=soon', 'rate_limit.period: Expected a duration'],
    ['lost_response=no', 'lost_response: Expected no value.'],
    ['status=422, lost_response', 'lost_response: Expected only one of'],
    ['status=422, example=none', 'There is no "example".'],
    ['__proto__=1', 'There is no "__proto__".'],
    ['delivery=drop', 'A delivery takes its faults from rules: POST /_emulator/faults.'],
  ])('is rejected with 400 that lists the possible effects: %j', async (fault, complaint) => {
    const before = customers();

    const response = await ask(fault);

    expect(response.status).toBe(400);
    expect(response.body.detail).toContain(complaint);
    expect(response.body.detail).toContain('Possible are status=CODE');
    expect(customers()).toBe(before);
  });

  it('has no effect on the control API', async () => {
    const headers = { 'X-Emulator-Fault': 'status=503' };

    await client.api('getClock', { headers });
  });
});

describe('a forced response', () => {
  const document = loadDocument('openapi');
  const validators = validatorsOf(document);
  const operations = [...document.operations.values()];

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'of %s matches the document, for every status of the operation',
    async (_, operation) => {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'x');
      for (const status of operation.replies.keys()) {
        const method = operation.method.toLowerCase() as 'get';
        const response = await client.http[method](path)
          .set('Authorization', 'Bearer key_test_emulator')
          .set('X-Emulator-Fault', `status=${status}`);
        const body = response.text === '' ? undefined : JSON.parse(response.text);

        expect(response.status).toBe(status);
        expect(validators.reply(operation, status)?.(body) ?? []).toEqual([]);
        expect(response.headers['x-request-id']).toMatch(/^req_\d+$/);
      }
    },
  );
});
