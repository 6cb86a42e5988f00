import { expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';
import { seedBusyWorld } from '../../testing/inspected.ts';
import { PAGE_PATHS } from '../paths.ts';
import { ACTION_STEPS } from './actions.ts';

/** The paths of pages that are not about one record. */
const OWN = Object.values(PAGE_PATHS).filter((path) => !/:id|go/.test(path));

it('no page has a POST form if the setting ui is read-only', async () => {
  const client = createTestClient({ ui: 'read-only' });
  const pages = await seedBusyWorld(client, 'http://127.0.0.1:9/hook');

  for (const path of [...OWN, ...Object.values(pages)]) {
    const { status, text } = await client.http.get(`/_emulator/ui${path}`);
    expect([path, status, /method="post"/i.test(text)]).toEqual([path, 200, false]);
  }
});

it.each(Object.keys(ACTION_STEPS).map((path) => path.replace(/:\w+/, 'a')))(
  'POST %s returns 404 if the setting ui is read-only',
  async (path) => {
    const { http } = createTestClient({ ui: 'read-only' });

    expect((await http.post(`/_emulator/ui${path}`).type('form').send({})).status).toBe(404);
  },
);

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
