import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../spec/document.ts';
import { createTestClient, TEST_NOW } from '../testing/client.ts';
import { playAnew, playOn, recordSession } from '../testing/recorded.ts';

async function askTimes(client: ReturnType<typeof createTestClient>, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await client.api('listAssets');
}

describe('an export of requests', () => {
  it('contains only the requests of the range', async () => {
    const client = createTestClient();
    for (const name of ['Before', 'Acme', 'After'])
      await client.api('createCustomer', { body: { name } }, 201);

    const query = { after: 1, until: 2 };
    const { fixture } = await client.api('exportRequests', { query });

    expect(fixture.steps).toEqual([
      { call: 'createCustomer', body: { name: 'Acme' }, expect: 201 },
    ]);
  });

  it('is rejected if the request log has dropped some of it, and says up to which', async () => {
    const client = createTestClient({ limits: { MAX_LOGGED_REQUESTS: 3 } });
    await askTimes(client, 4);

    const rejection = await client.api('exportRequests', {}, 422);
    const rest = await client.api('exportRequests', { query: { after: 1 } });

    expect(rejection.errors.after[0]).toContain('The request log has lost its requests up to 1.');
    expect(rest.steps).toBe(3);
  });

  it.each([[{}], [{ after: 9 }], [{ format: 'har' }]])(
    'is rejected if there is nothing in it: %j',
    async (query) => {
      await createTestClient().api('exportRequests', { query }, 422);
    },
  );
});

describe('a recorded fixture', () => {
  it('replaces names and addresses with redact_customers, and still replays', async () => {
    const client = createTestClient();
    const [name, email] = ['Ada Canary', 'ada@canary.example'];
    const session = await recordSession(
      client,
      async (ask) => {
        const { id } = await ask('createCustomer', { body: { name, email, external_id: 'a1' } });
        await ask('createCustomer', { body: { name: 'Bo Canary' } });
        await ask('updateCustomer', {
          path: { customerId: id },
          body: { metadata: { note: `Ask ${name} <${email}>` } },
        });
        await ask('listCustomers', { query: { email } });
        await ask('getCustomer', { path: { customerId: id } });
      },
      { expect: true, redact_customers: true },
    );

    expect(session.text).not.toMatch(/canary/i);
    expect(session.text).toContain('Ask Customer 1 <customer-1@example.com>');
    expect(session.text).toContain('name: Customer 2');
    expect(await playAnew(session.text)).toEqual([]);
  });

  it('refers to values of earlier responses in paths, queries, bodies and texts', async () => {
    const client = createTestClient();
    const { fixture } = await recordSession(
      client,
      async (ask) => {
        const { id } = await ask('createCustomer', { body: { name: 'Acme' } });
        await ask('getTask', { path: { taskId: `${id}:chat` } });
        await ask('listEvents', { query: { customer_id: id, period_from: '2026-01-01' } });
        await ask('createVendor', { body: { name: `costs $n of ${id}` } });
      },
      { expect: false },
    );

    expect(fixture.steps).toEqual([
      { call: 'createCustomer', as: 'customer_1', body: { name: 'Acme' }, expect: 201 },
      { call: 'getTask', path: { taskId: `\${customer_1.id}:chat` }, expect: 404 },
      {
        call: 'listEvents',
        query: { customer_id: '$customer_1.id', period_from: '$start_date-P14D' },
        expect: 200,
      },
      { call: 'createVendor', body: { name: `costs $$n of \${customer_1.id}` }, expect: 201 },
    ]);
  });

  it('reports requests left out, and ids that must exist in the world', async () => {
    const client = createTestClient();
    const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
    const { remarks } = await recordSession(client, async (ask) => {
      await ask('getWallet', { path: { customerId: id } });
      await client.http.get('/nowhere').set('Authorization', 'Bearer key_test_emulator');
      await client.http
        .post('/customers')
        .set('Authorization', 'Bearer key_test_emulator')
        .set('Content-Type', 'application/json')
        .send('{');
    });

    expect(remarks).toEqual([
      `No response of the session returned ${id}; a world without it responds differently.`,
      'Left out: GET /nowhere (404): no operation has this path.',
      'Left out: createCustomer (400): its body is not JSON.',
    ]);
  });
});

const FIXTURES = '../../fixtures/';
const LIBRARY = readdirSync(new URL(FIXTURES, import.meta.url))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `${FIXTURES}${file}`);
const EVERYTHING = './every-operation.yaml';

it.each([EVERYTHING, ...LIBRARY])(
  '%s recorded over HTTP replays without a difference',
  async (name) => {
    const text = readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
    const session = await recordSession(createTestClient(), async (_, target) => {
      expect(await playOn(target, text)).toEqual([]);
    });

    expect(session.steps).toBeGreaterThan(3);
    expect(session.remarks).toEqual([]);
    expect(session.text).not.toMatch(
      /(cust|sub|prp|prc|fee|top|vnd|acc|dst|evt)_\w{26}|whsec_|key_test/,
    );
    expect(await playAnew(session.text)).toEqual([]);
  },
);

it('the fixture of every operation calls every operation', () => {
  const text = readFileSync(fileURLToPath(new URL(EVERYTHING, import.meta.url)), 'utf8');
  const operations = [...loadDocument('openapi').operations.keys()];

  expect(operations.filter((id) => !new RegExp(`call: ${id}\\b`).test(text))).toEqual([]);
});

it('a session recorded with a running clock replays each request at its millisecond', async () => {
  let millis = Date.parse(TEST_NOW);
  const machine = () => {
    millis += 7;
    return millis;
  };
  const client = createTestClient({ clock: 'real' }, { machine });

  const session = await recordSession(client, async (ask) => {
    const { id } = await ask('createCustomer', { body: { name: 'Acme', external_id: 'acme' } });
    await ask('getCustomer', { path: { customerId: id } });
    await ask('advanceClock', { body: { by: 'P1D' } });
    await ask('createVendor', { body: { name: 'Host' } });
    await ask('setClock', { body: { mode: 'offset', now: '2026-01-01T00:00:00Z' } });
    await ask('createVendor', { body: { name: 'Earlier' } });
    await ask('listVendors');
  });

  expect(session.fixture.steps.map((step) => ('at' in step ? step.at : undefined))).toContainEqual(
    expect.stringMatching(/^PT0\.\d+S$/),
  );
  expect(await playAnew(session.text)).toEqual([]);
});

it('a recorded session expects redirect locations, and of the log only what does not depend on receivers', async () => {
  const session = await recordSession(createTestClient(), async (ask) => {
    const hook = { url: 'http://127.0.0.1:24100/_emulator/inbox/shop' };
    await ask('createWebhook', { body: hook });
    await ask('createCustomer', { body: { name: 'Acme', external_id: 'acme' } });
    await ask('listCustomers', { query: { external_id: 'acme' } });
    await ask('testWebhooks', { path: { topic: 'subscription.activated' }, body: {} });
    await ask('listWebhookEvents');
  });
  const redirect = session.fixture.steps.find((step) => 'query' in step);
  const log = session.fixture.steps.at(-1);

  expect(redirect).toMatchObject({
    expect: { status: 303, headers: { Location: `/customers/\${customer_1.id}` } },
  });
  expect(log).toMatchObject({ expect: { body: { items: [{ topic: 'subscription.activated' }] } } });
  expect(log).not.toHaveProperty('expect.body.items.0.metadata');
  expect(await playAnew(session.text)).toEqual([]);
});

it('replaying a recorded session reports a single changed field', async () => {
  const session = await recordSession(createTestClient(), async (ask) => {
    const { id } = await ask('createCustomer', { body: { name: 'Acme' } });
    const rate = {
      transaction_id: '00000000-0000-4000-8000-000000000001',
      account_name: 'default',
    };
    const body = { ...rate, asset: 'USD', amount: 0.1234567891, reason: 'gift' };
    await ask('adjustWallet', { path: { customerId: id }, body });
    await ask('getWallet', { path: { customerId: id } });
  });

  const [before, after] = ['available: 0.1234567891', 'available: 0.1234567892'];
  expect(session.text).toContain(before);
  expect(await playAnew(session.text.replace(before, after))).toEqual([
    expect.stringMatching(/available: expected 0\.1234567892, got 0\.1234567891$/),
  ]);
});
