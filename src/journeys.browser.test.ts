import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from './testing/browser.ts';
import { aCatalogProduct, anEvent, usagePrice } from './testing/catalog.ts';
import { createTestClient, type TestClient } from './testing/client.ts';

/** What people come for, with the number of clicks that it takes. */
let client: TestClient;
let origin: string;
let customerId: string;

beforeAll(async () => {
  client = createTestClient({ port: 0, fixture: 'quickstart' });
  origin = await client.emulator.listen();
  const { id } = await client.api('listCustomers', { query: { external_id: 'acme' } });
  customerId = id;
});

afterAll(() => client.emulator.close());

/** A page that counts the clicks on it. */
async function counting(path: string) {
  const page = await openPage();
  await page.goto(origin + path);
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  const open = async (summary: string) => {
    clicks += 1;
    await page.locator('summary').filter({ hasText: summary }).first().click();
  };
  return { page, click, open, clicks: () => clicks };
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

it('why a fee is 4.17', async () => {
  const { page, click, clicks } = await counting('/');

  await click('button', 'Send it');
  await click('link', 'Why?');

  await heading(page, 'Why $4.17');
  expect(clicks()).toBe(2);
});

it('a declined top-up says why and is paid', async () => {
  const back = `${origin}/_emulator/ui/requests`;
  const urls = { return_url: back, failure_url: back };
  const order = { customer_id: customerId, amount: 20, currency: 'USD', ...urls };
  const { id, redirect_url } = await client.api('createTopUp', { body: order }, 201);
  const form = { number: '4000000000009995', expiry: '12/34', cvc: '123' };
  const pay = `${new URL(redirect_url).pathname}/pay`;
  await client.http.post(pay).type('form').send(form);
  const { page, click, clicks } = await counting(`/_emulator/ui/customers/${customerId}`);

  await page.getByText('The card has insufficient funds.').waitFor();
  await click('link', 'Pay again');
  await click('button', 'Fill in 4242 4242 4242 4242');
  await page.waitForURL(/card=/);
  await click('button', /^Pay /);

  await heading(page, 'Requests');
  const path = { topUpId: id };
  expect((await client.api('getTopUp', { path })).status).toBe('succeeded');
  expect(clicks()).toBeLessThanOrEqual(4);
});

it('the portal as the customer sees it', async () => {
  const { page, click, clicks } = await counting('/_emulator/ui/customers');

  await click('link', 'Acme');
  await click('button', 'Open portal');

  await heading(page, 'Billing for Acme');
  expect(clicks()).toBe(2);
});

it('a failed webhook is sent again', async () => {
  const key = 'key_test_hooks';
  const body = { url: 'http://127.0.0.1:9/hook', topics: ['*'] };
  await client.api('createWebhook', { key, body }, 201);
  const path = { topic: 'subscription.activated' };
  await client.api('testWebhooks', { key, path, body: {} }, 202);
  await client.api('flushDeliveries', { key });
  const { page, click, clicks } = await counting(`/_emulator/ui/webhooks?key=${key}`);

  await click('link', 'subscription.activated');
  await click('button', 'Send again');

  await page.getByTestId('attempt').filter({ hasText: 'sent again:' }).waitFor();
  expect(clicks()).toBe(2);
});

it('a month later, what changed, and back', async () => {
  const { page, click, open, clicks } = await counting('/_emulator/ui');
  const before = await client.api('getClock');

  await open('Clock');
  await click('button', 'One month');
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await click('button', /^Undo the advance from/);

  await page.getByText('The world has its earlier state again.').waitFor();
  expect((await client.api('getClock')).now).toBe(before.now);
  expect(clicks()).toBe(3);
});

it('two snapshots are compared', async () => {
  await client.api('saveSnapshot', { body: { name: 'first' } }, 201);
  await client.api('createCustomer', { body: { name: 'Hooli' } }, 201);
  await client.api('saveSnapshot', { body: { name: 'second' } }, 201);
  const { page, click, clicks } = await counting('/_emulator/ui/time');

  await click('link', '−1 customer');
  await page.locator('main select[name=from]').selectOption('first');
  await page.locator('main select[name=to]').selectOption('second');
  await click('button', 'Compare');

  await heading(page, '1 of 3 customers differs');
  expect(clicks()).toBe(2);
});

it('the body of a 422', async () => {
  await client.api('createCustomer', { body: { name: '' } }, 422);
  const { page, click, clicks } = await counting('/_emulator/ui');

  await click('link', /^1 refused|POST \/customers/);
  if (page.url().includes('q=')) await click('link', '/customers');

  await page.getByRole('region', { name: 'Body of the Response' }).getByText('errors').waitFor();
  expect(clicks()).toBeLessThanOrEqual(2);
});

it('the customer who owes most', async () => {
  const key = 'key_test_debts';
  await aCatalogProduct(client, 'metered', { prices: [usagePrice({})] }, { key });
  const debts = [
    ['Little', 1],
    ['Most', 3],
    ['Some', 2],
  ] as const;
  for (const [name, count] of debts) {
    const subscriptions = [{ products: [{ code: 'metered' }] }];
    const { id } = await client.api('createCustomer', { key, body: { name, subscriptions } }, 201);
    const events = Array.from({ length: count }, () => anEvent());
    await client.api('submitEvents', { key, body: { customer_id: id, events } }, 204);
  }
  const { page, click, clicks } = await counting(`/_emulator/ui/customers?key=${key}`);

  await click('link', 'Balance');

  expect(await page.locator('tbody th').first().textContent()).toBe('Most');
  expect(clicks()).toBe(1);
});

it('a CSV of all customers', async () => {
  const { page, click, clicks } = await counting('/_emulator/ui/customers');
  const downloading = page.waitForEvent('download');
  await click('link', 'CSV');
  const text = readFileSync(await (await downloading).path(), 'utf8');

  const { total_count } = await client.api('listCustomers');
  expect(text.trimEnd().split('\r\n')).toHaveLength(total_count + 1);
  expect(text).toContain('balance.USD');
  expect(clicks()).toBe(1);
});

it('a destination is added and tested', async () => {
  const key = 'key_test_added';
  const { page, click, clicks } = await counting(`/_emulator/ui/webhooks?key=${key}`);

  await click('link', 'Add a destination');
  await page.getByLabel('url (required)').fill(`${origin}/_emulator/inbox/journey`);
  await page.getByLabel('topics, JSON').fill('["*"]');
  await click('button', 'Send POST /webhooks');
  await heading(page, /1 webhook destination/);
  await click('link', /^Webhooks/);
  await click('button', 'Send a test event');

  await heading(page, /1 webhook event/);
  expect(clicks()).toBeLessThanOrEqual(4);
});
