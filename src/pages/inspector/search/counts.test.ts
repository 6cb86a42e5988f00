import { expect, it } from 'vitest';
import { createTestClient, type TestClient, worldOf } from '../../../testing/client.ts';
import { MAX_LOOKED_AT } from './list.ts';

/** The chips of a list with their counts. */
async function chipsOf({ http }: TestClient, page: string): Promise<Record<string, string>> {
  const { text } = await http.get(`/_emulator/ui/${page}`);
  const chips = text.matchAll(/<bdi>([^<]*)<\/bdi><span class="muted">([\d,]+)/g);
  return Object.fromEntries([...chips].map(([, name, count]) => [name, count]));
}

it('filters by time have counts in long lists of usage and of ledger transactions', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const target = client.emulator.targetOf(worldOf(client.emulator));
  const send = (call: string, body: object) =>
    target.send({ call, path: { customerId: id }, body });
  const submit = (count: number) => {
    const occurred_at = worldOf(client.emulator).now;
    const event = () => ({ id: crypto.randomUUID(), event_type: 'call', occurred_at, data: {} });
    send('submitEvents', { customer_id: id, events: Array.from({ length: count }, event) });
  };
  const charge = () =>
    send('chargeWallet', { transaction_id: crypto.randomUUID(), asset: 'USD', amount: 1 });
  for (let count = 0; count <= MAX_LOOKED_AT; count += 100) submit(100);
  for (let count = 0; count <= MAX_LOOKED_AT; count += 1) charge();
  await client.api('advanceClock', { body: { by: 'P3D' } });
  submit(2);
  charge();

  expect(await chipsOf(client, 'events')).toMatchObject({ 'Last hour': '2', 'Last week': '2,102' });
  expect(await chipsOf(client, 'ledger')).toMatchObject({ All: '2,002', 'Last day': '1' });
});

it('the states of webhook events have counts in long lists', async () => {
  const client = createTestClient();
  const target = client.emulator.targetOf(worldOf(client.emulator));
  const path = { topic: 'subscription.activated' };
  const send = () => target.send({ call: 'testWebhooks', path, body: {} });
  for (let count = 0; count < MAX_LOOKED_AT; count += 1) send();
  const body = { url: 'http://127.0.0.1:9/hook', topics: ['*'] };
  await client.api('createWebhook', { body }, 201);
  send();
  await client.api('flushDeliveries');
  await client.api('pauseDeliveries', { body: {} });
  send();

  expect(await chipsOf(client, 'webhooks')).toEqual({
    All: '2,002',
    Failing: '1',
    Pending: '1',
    'No destination': '2,000',
  });
});
