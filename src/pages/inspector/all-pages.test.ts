import { expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';

/** The maximum size of a page, for any data. @units bytes */
const MOST = 1_000_000;

it('a page with very much data stays below 1 MB', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const path = { customerId: id };
  for (let place = 0; place < 40; place += 1) {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount: 5, reason: 'gift' };
    const account_name = `account-${place}`;
    await client.api('adjustWallet', { path, body: { ...body, account_name } }, 201);
  }
  const text = 'y'.repeat(100_000);
  const events = Array.from({ length: 60 }, () => anEvent({ data: { text } }));
  await client.api('submitEvents', { body: { customer_id: id, events } }, 204);

  for (const page of ['/requests', '/requests/42', '/events', `/customers/${id}`]) {
    const answer = await client.http.get(`/_emulator/ui${page}`);
    expect([page, answer.status, answer.text.length < MOST]).toEqual([page, 200, true]);
  }
});
