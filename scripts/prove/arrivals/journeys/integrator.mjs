// The first hour of an integrator: an application that reports usage and receives webhooks, under test.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startEmulator } from 'billing-emulator';

let emulator;
let sandbox;
before(async () => {
  emulator = await startEmulator({ settings: { clock: 'frozen' } });
});
beforeEach(async () => {
  sandbox = await emulator.sandbox('shop', { fixture: 'quickstart' });
});
afterEach(() => sandbox.delete());
after(() => emulator.close());

const report = async (event) => {
  const { now } = await sandbox.clock.read();
  const events = [
    {
      id: '00000000-0000-4000-8000-000000000001',
      event_type: 'llm.completion',
      occurred_at: now,
      ...event,
    },
  ];
  await sandbox.client.call('submitEvents', { body: { customer_external_id: 'acme', events } });
  const { items } = await sandbox.client.call('listWarnings');
  return items.map(({ kind }) => kind);
};

test('a receiver gets what happened, signed, and twice where a fault says so', async () => {
  const receiver = await sandbox.receiver({ topics: ['subscription.activated'] });
  await sandbox.faults.add({
    match: { topic: 'subscription.activated' },
    times: 1,
    delivery: 'duplicate',
  });
  const { id } = await sandbox.customers.create({ external_id: 'ann', plan: 'assistant' });
  const { data } = await receiver.next();
  await sandbox.webhooks.flush();

  assert.equal(data.customer_id, id);
  assert.deepEqual(
    receiver.verified.map((event) => event.id),
    [receiver.received[0].id, receiver.received[0].id],
  );
  await receiver.close();
});

test('a customer has what a test needs, and the ledger is sound', async () => {
  await sandbox.customers.create({ external_id: 'bob', credit: { USD: 5 } });

  assert.equal(await sandbox.balance('bob'), 5);
  await sandbox.assertSound();
  await sandbox.assertNoWarnings();
});

test('the time of the world is in each response and in the hands of the test', async () => {
  const before = await sandbox.clock.asDate();
  await sandbox.clock.advance('P1M');
  const now = await sandbox.clock.asDate();
  const { headers } = await fetch(`${sandbox.url}/customers`, {
    headers: { Authorization: `Bearer ${sandbox.key}` },
  });

  assert.ok(now - before >= 28 * 86_400_000);
  assert.equal(await sandbox.clock.now(), now.toISOString());
  assert.equal(Date.parse(headers.get('date')), Math.floor(now / 1000) * 1000);
});

test('usage that costs nothing is a warning that fails a test', async () => {
  assert.deepEqual(await report({ event_type: 'llm.completions' }), ['unknown_event_type']);
  await assert.rejects(sandbox.assertNoWarnings(), /acme/);
});

test('usage of a time before an advance is named', async () => {
  const { now } = await sandbox.clock.read();
  await sandbox.clock.advance('P1D');

  assert.deepEqual(await report({ occurred_at: now, data: { model: 'large', tokens: 1 } }), [
    'usage_before_advance',
  ]);
});

test('wrong names get the nearest one', async () => {
  await assert.rejects(async () => sandbox.client.call('createCustomr', {}), /createCustomer/);
  await assert.rejects(
    async () => sandbox.requests.wait({ operation: 'submitEvents', timeout: 1 }),
    /timeout_seconds/,
  );
});
