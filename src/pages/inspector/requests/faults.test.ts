import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, action: string, body: object = {}) =>
  client.http.post(`/_emulator/ui/faults/${action}`).type('form').send(body);

const rulesOf = async (client: TestClient) => (await client.control('listFaults', {}, 200)).rules;

it('the faults page adds a rule in the syntax of X-Emulator-Fault', async () => {
  const client = createTestClient();

  const answer = await post(client, 'add', {
    operation: 'createCustomer',
    customer: '',
    effect: 'status=503, latency=1ms',
    times: '1',
  });

  expect(answer.status).toBe(303);
  const match = { operation: 'createCustomer' };
  expect(await rulesOf(client)).toMatchObject([{ match, status: 503, latency: '1ms', times: 1 }]);
  await client.api('createCustomer', { body: { name: 'Acme' } }, 503);
  await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const { text } = await client.http.get('/_emulator/ui/faults');
  expect(text).toContain('status=503, latency=1ms');
  const log = await client.http.get('/_emulator/ui/requests?q=fault:*');
  expect(log.text).toContain('1 of 2');
});

it('the faults page names the field of an effect that does not exist', async () => {
  const client = createTestClient();

  const { status, text } = await post(client, 'add', { effect: 'bogus' });

  expect(status).toBe(422);
  expect(text).toContain('What happens: There is no &quot;bogus&quot;.');
});

it('the faults page adds a rule for deliveries', async () => {
  const client = createTestClient();

  const { status } = await post(client, 'add', { effect: 'delivery=swap', times: '2' });

  expect(status).toBe(303);
  expect(await rulesOf(client)).toEqual([
    { position: 1, seen: 0, applied: 0, delivery: 'swap', times: 2 },
  ]);
  expect((await client.http.get('/_emulator/ui/faults')).text).toContain('any delivery');
});

it('the faults page replaces and removes all rules', async () => {
  const client = createTestClient();
  await post(client, 'add', { effect: 'lost_response' });

  await post(client, 'set', { rules: '[{"status": 500, "name": "<bold>"}]' });
  expect(await rulesOf(client)).toMatchObject([{ status: 500, name: '<bold>' }]);
  expect((await client.http.get('/_emulator/ui/faults')).text).not.toContain('<bold>');

  await post(client, 'clear');
  expect(await rulesOf(client)).toEqual([]);
});

it.each([
  ['add', {}, 'nothing'],
  ['add', { effect: 'status=99' }, 'Expected a number from 200 to 599.'],
  ['add', { effect: 'explode' }, 'There is no'],
  ['add', { effect: 'delivery=explode' }, 'Expected one of: duplicate, swap'],
  ['add', { effect: 'delivery=drop', times: 'many' }, 'Expected'],
  ['add', { effect: 'delivery=drop', customer: 'acme' }, 'Rules match requests by'],
  ['add', { effect: 'status=503', operation: 'explode' }, 'There is no operation'],
  ['add', { effect: 'status=503', times: '-1' }, 'Expected'],
  ['set', { rules: '{' }, 'This is not JSON.'],
  ['set', { rules: '[{}]' }, 'rules[0]'],
  ['set', { rules: '7' }, 'Expected an array'],
])(
  'the faults page rejects %s of %j with the reason and keeps the input',
  async (action, body, why) => {
    const client = createTestClient();

    const { status, text } = await post(client, action, body);

    expect(status).toBe(422);
    if (why !== 'nothing') expect(text).toContain(why);
    for (const value of Object.values(body)) if (value !== '7') expect(text).toContain(value);
    expect(await rulesOf(client)).toEqual([]);
  },
);

it('the faults page rejects new rules if the setting faults is off', async () => {
  const client = createTestClient({ faults: 'off' });

  expect((await client.http.get('/_emulator/ui/faults')).text).toContain('disabled');
  expect((await post(client, 'add', { effect: 'status=503' })).status).toBe(422);
  expect(await rulesOf(client)).toEqual([]);
});
