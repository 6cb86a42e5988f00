import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, action: string, body: object = {}) =>
  client.http.post(`/_emulator/ui/webhooks/${action}`).type('form').send(body);

const page = async (client: TestClient): Promise<string> =>
  (await client.http.get('/_emulator/ui/webhooks')).text;

async function withDestination(): Promise<TestClient> {
  const client = createTestClient();
  const body = { url: 'http://127.0.0.1:9/hook', topics: ['*'] };
  await client.api('createWebhook', { body }, 201);
  return client;
}

it('holds deliveries back and lets them go on', async () => {
  const client = await withDestination();

  await post(client, 'pause');
  expect(await page(client)).toContain('held back');

  await post(client, 'resume');
  expect(await page(client)).not.toContain('held back');
});

it('disturbs the next deliveries and stops it', async () => {
  const client = await withDestination();

  expect((await post(client, 'disturbances', { kind: 'swap', count: '2' })).status).toBe(303);
  const { items } = await client.control('listDisturbances', {}, 200);
  expect(items).toMatchObject([{ kind: 'swap', count: 2, remaining: 2 }]);

  await post(client, 'disturbances/clear');
  expect((await client.control('listDisturbances', {}, 200)).total_count).toBe(0);
});

it.each([
  { kind: 'explode', count: '1' },
  { kind: 'drop', count: '0' },
  { kind: 'drop', count: 'many' },
  {},
])('says that %j is no disturbance', async (body) => {
  const client = await withDestination();

  const { status, text } = await post(client, 'disturbances', body);

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect((await client.control('listDisturbances', {}, 200)).total_count).toBe(0);
});
