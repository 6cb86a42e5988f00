import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, action: string, body: object = {}) =>
  client.http.post(`/_emulator/ui/faults/${action}`).type('form').send(body);

const rulesOf = async (client: TestClient) => (await client.control('listFaults', {}, 200)).rules;

it('the menu makes an operation fail once, and the log shows it', async () => {
  const client = createTestClient();
  const form = { operation: 'createCustomer', customer: '', times: '1' };

  const answer = await post(client, 'add', { ...form, effect: '503 Service unavailable' });

  expect(answer.status).toBe(303);
  const match = { operation: 'createCustomer' };
  expect(await rulesOf(client)).toMatchObject([{ match, status: 503, times: 1 }]);
  await client.api('createCustomer', { body: { name: 'Acme' } }, 503);
  await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const { text } = await client.http.get('/_emulator/ui/requests?q=fault:*');
  expect(text).toContain('1 of 2');
  expect(text).toContain('Fault: rule 1: 503 Service unavailable');
});

it('each rule has a button that removes it alone', async () => {
  const client = createTestClient();
  await post(client, 'add', { effect: 'Webhooks swapped', times: '2' });
  await post(client, 'add', { effect: 'Response cut off' });

  await post(client, 'remove', { place: '0' });

  expect(await rulesOf(client)).toMatchObject([{ connection: 'truncated' }]);
  const { text } = await client.http.get('/_emulator/ui/requests');
  expect(text.match(/data-testid="fault-rule"/g)).toHaveLength(1);
});

it.each([
  [{}, 'Choose what happens.'],
  [{ effect: 'explode' }, 'Choose what happens.'],
  [{ effect: 'Webhook lost', times: 'many' }, 'Expected'],
  [{ effect: 'Webhook lost', customer: 'acme' }, 'Rules match requests by'],
  [{ effect: '404 Not found', operation: 'explode' }, 'There is no operation'],
])('the menu rejects %j with the reason', async (body, why) => {
  const client = createTestClient();

  const { status, text } = await post(client, 'add', body);

  expect([status, text.includes(why)]).toEqual([422, true]);
  expect(await rulesOf(client)).toEqual([]);
});
