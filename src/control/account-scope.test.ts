import { describe, expect, it } from 'vitest';
import { type AnyBody, asNewAccount, createTestClient } from '../testing/client.ts';
import { openWebhookWorld, TOPIC } from '../testing/webhook-world.ts';

describe('with the account header', () => {
  it('flushDeliveries makes attempts of that account alone', async () => {
    const { client, receiver, control, register, dispatch, idle } = openWebhookWorld();
    const headers = await asNewAccount(client.api);
    const [own, others] = [await receiver(() => 500), await receiver(() => 500)];
    await client.api('createWebhook', { headers, body: { url: own.url } }, 201);
    await register(others.url);
    const path = { topic: TOPIC };
    await client.api('testWebhooks', { headers, path, body: {} }, 202);
    await dispatch();
    await idle();

    expect(await control('flushDeliveries', { headers }, 200)).toMatchObject({ sent: 1 });
    await idle();
    expect([own.requests.length, others.requests.length]).toEqual([2, 1]);
    expect(await control('flushDeliveries', {}, 200)).toMatchObject({ sent: 2 });
  });

  it('exportWorld exports the records of that account alone', async () => {
    const client = createTestClient({ fixture: 'quickstart' });
    const headers = await asNewAccount(client.api);
    await client.api('createCustomer', { body: { name: 'Guest' }, headers }, 201);
    const { tables } = await client.control('exportWorld', { headers }, 200);

    expect(Object.keys(tables)).toEqual(['accounts', 'customers']);
    expect(tables.accounts.map((row: AnyBody) => row.id)).toEqual([headers['X-Service-Account']]);
    expect(tables.customers.map((row: AnyBody) => row.name)).toEqual(['Guest']);
  });
});
