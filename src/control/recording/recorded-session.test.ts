import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadDocument } from '../../spec/document.ts';
import { createTestClient, TEST_NOW } from '../../testing/client.ts';
import { playAnew, playOn, recordSession } from '../../testing/recorded/play.ts';

const FIXTURES = '../../../fixtures/';
const LIBRARY = readdirSync(new URL(FIXTURES, import.meta.url))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `${FIXTURES}${file}`);
/** One fixture sends more requests than the log keeps by default. */
const AT_LENGTH = { limits: { MAX_LOGGED_REQUESTS: 1_000 } };
const EVERYTHING = './every-operation.yaml';

it.each([EVERYTHING, ...LIBRARY])(
  '%s recorded over HTTP replays without a difference',
  async (name) => {
    const text = readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
    const session = await recordSession(createTestClient(AT_LENGTH), async (_, target) => {
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

it('a recorded session expects redirect locations and exact responses', async () => {
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
  expect(log).toMatchObject({
    as: 'webhook_events_1',
    expect: {
      exact: true,
      body: { items: [{ metadata: '$webhook_events_1.items[0].metadata' }] },
    },
  });
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
