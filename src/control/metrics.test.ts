import { expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';

const PATH = '/_emulator/metrics';
const URL = 'http://127.0.0.1:24100/_emulator/inbox/mine';

it('metrics count requests by operation and status, durations, worlds, rows and deliveries', async () => {
  const client = createTestClient();
  for (const name of ['Acme', 'Globex', ''])
    await client.send('createCustomer', { body: { name } });
  await client.api('listCustomers', { key: 'key_test_other' });
  await client.api('createWebhook', { body: { url: URL } }, 201);
  const path = { topic: 'subscription.activated' };
  await client.api('testWebhooks', { path, body: {} }, 202);
  await client.api('flushDeliveries');

  const { text, headers, status } = await client.http.get(PATH);

  expect([status, headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=0/),
  ]);
  const lines = text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'billing_emulator_requests_total{operation="createCustomer",status="201"} 2',
      'billing_emulator_requests_total{operation="createCustomer",status="422"} 1',
      'billing_emulator_requests_total{operation="listCustomers",status="200"} 1',
      'billing_emulator_worlds 2',
      'billing_emulator_rows{table="customers"} 2',
      'billing_emulator_delivery_attempts_total{outcome="acknowledged"} 1',
      'billing_emulator_delivery_attempts_total{outcome="failed"} 0',
    ]),
  );
  expect(text).toMatch(/request_seconds_total\{operation="createCustomer"\} 0\.\d/);
  expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/);
  expect(text).toMatch(/nodejs_heap_size_used_bytes \d/);
  expect(text).not.toMatch(/key_test|Acme|cust_/);
});

it('metrics require admin_token if it is set, and accept it as a bearer token too', async () => {
  const { http } = createTestClient({ admin_token: 'swordfish', without_token: ['inboxes'] });

  expect((await http.get(PATH)).status).toBe(401);
  expect((await http.get(PATH).set('Authorization', 'Bearer haddock')).status).toBe(401);
  expect((await http.get(PATH).set('X-Emulator-Admin', 'swordfish')).status).toBe(200);
  expect((await http.get(PATH).set('Authorization', 'Bearer swordfish')).status).toBe(200);
});
