import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const page = async (client: TestClient): Promise<string> =>
  (await client.http.get('/_emulator/ui/webhooks')).text;

async function withDestination(): Promise<TestClient> {
  const client = createTestClient();
  const body = { url: 'http://127.0.0.1:9/hook', topics: ['*'] };
  await client.api('createWebhook', { body }, 201);
  return client;
}

it('the webhooks page says how to receive events without a receiver', async () => {
  expect(await page(createTestClient())).toContain('No destinations yet.');
});

it('the form that edits a destination starts with what it has', async () => {
  const client = createTestClient();
  const url = 'http://127.0.0.1:9/hook';
  await client.api('createWebhook', { body: { url, topics: ['subscription.activated'] } }, 201);
  const [, edit = ''] = /href="([^"]*operation=updateWebhook[^"]*)"/.exec(await page(client)) ?? [];

  const { text } = await client.http.get(edit.replaceAll('&amp;', '&'));

  expect(text).toMatch(new RegExp(`name="body.url"[^>]*value="${url}"`));
  expect(text).toMatch(/name="body.topics"[^>]*>\[&quot;subscription.activated&quot;\]/);
});

it('the page of a webhook event and the overview say how its delivery failed', async () => {
  const client = await withDestination();
  const path = { topic: 'subscription.activated' };
  const { id } = await client.api('testWebhooks', { path, body: {} }, 202);
  await client.api('flushDeliveries');

  const { text } = await client.http.get(`/_emulator/ui/webhooks/${id}`);
  expect(text).toContain('connect ECONNREFUSED 127.0.0.1:9');
  expect(text).toContain('live_mode');
  expect((await client.http.get('/_emulator/ui')).text).toMatch(
    /Latest: subscription\.activated to http:\/\/127\.0\.0\.1:9\/hook: connect ECONNREFUSED 127\.0\.0\.1:9; next attempt in \d/,
  );
});
