import { describe, expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { playAnew, recordSession } from '../../testing/recorded/play.ts';

const EXPORT = { query: { recorded: true } };

async function askTimes(client: ReturnType<typeof createTestClient>, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await client.api('listAssets', {}, 200);
}

describe('a recording', () => {
  it('contains only the requests between start and stop', async () => {
    const client = createTestClient();
    await client.api('createCustomer', { body: { name: 'Before' } }, 201);
    const begun = await client.control('startRecording', {}, 201);
    await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
    const ended = await client.control('stopRecording', {}, 200);
    await client.api('createCustomer', { body: { name: 'After' } }, 201);

    const { fixture } = await client.control('exportFixture', EXPORT, 200);

    expect(begun).toMatchObject({
      running: true,
      after: 1,
      requests: 0,
      records: { customers: 1 },
    });
    expect(ended).toMatchObject({ running: false, after: 1, requests: 1 });
    expect(fixture.steps).toEqual([
      { call: 'createCustomer', body: { name: 'Acme' }, expect: 201 },
    ]);
  });

  it('cannot be exported if the request log has dropped some of it, and reports up to which', async () => {
    const client = createTestClient({ limits: { MAX_LOGGED_REQUESTS: 3 } });
    await client.control('startRecording', {}, 201);
    await askTimes(client, 4);

    const refusal = await client.control('exportFixture', EXPORT, 422);
    const rest = await client.control('exportFixture', { query: { after: 1 } }, 200);

    expect(refusal.errors.after[0]).toContain('The request log has lost its requests up to 1.');
    expect(rest.steps).toBe(3);
    await client.control('exportFixture', {}, 422);
  });

  it('cannot be exported if the log was cleared; later requests can', async () => {
    const client = createTestClient();
    await client.control('startRecording', {}, 201);
    await askTimes(client, 2);
    await client.control('clearRequests', {}, 204);
    await askTimes(client, 1);

    await client.control('exportFixture', EXPORT, 422);
    expect((await client.control('exportFixture', {}, 200)).steps).toBe(1);
  });

  it('ends when its world is reset', async () => {
    const client = createTestClient();
    await client.control('startRecording', {}, 201);
    await client.control('resetWorld', { body: { to: 'empty' } }, 200);

    const { errors } = await client.control('exportFixture', EXPORT, 422);

    expect(errors.recorded[0]).toMatch(/^The world was replaced/);
  });

  it.each([
    ['exportFixture', EXPORT, 404, {}],
    ['stopRecording', {}, 404, {}],
    ['exportFixture', {}, 422, {}],
    ['exportFixture', { query: { after: 9 } }, 422, {}],
  ] as const)(
    'returns an error if there is nothing to return: %s %j',
    async (operation, parts, status, settings) => {
      const client = createTestClient(settings);

      await client.control(operation, parts, status);
    },
  );
});

describe('a recorded fixture', () => {
  it('contains no key, secret, token or cookie from any field', async () => {
    const client = createTestClient();
    const canary = 'canary-8c1d5e';
    const session = await recordSession(client, async (ask) => {
      await ask('createCustomer', {
        headers: { 'X-Api-Key': `${canary}-header`, Cookie: `session=${canary}-cookie` },
        body: {
          name: `Acme ${canary}-header`,
          metadata: { token: `${canary}-field`, note: `${canary}-cookie`, key: 'key_test_canary' },
        },
      });
      const url = `https://hooks.example/?token=${canary}-query`;
      const hook = await ask('createWebhook', { body: { url } });
      await ask('createVendor', { body: { name: `see ${hook.secret}` } });
      await ask('getWebhook', { path: { webhookId: hook.id } });
      await ask('listVendors');
    });

    expect(session.text).not.toContain(canary);
    expect(session.text).not.toMatch(/whsec_\w|key_test_\w|canary/);
    expect(await playAnew(session.text)).toEqual([]);
  });

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
