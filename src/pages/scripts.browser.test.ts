import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { openPage } from '../testing/browser.ts';
import { createTestClient } from '../testing/client.ts';

const client = createTestClient({ port: 0, fixture: 'quickstart' });
const base = `${await client.emulator.listen()}/_emulator`;
await client.api('listCustomers');

afterAll(() => client.emulator.close());

async function open(path: string): Promise<Page> {
  const page = await openPage();
  await page.goto(base + path);
  return page;
}

it('the key / searches the world of the page', async () => {
  await client.api('createCustomer', { key: 'key_test_other', body: { name: 'Initech' } }, 201);
  const page = await open('/ui/customers/profit?key=key_test_other');

  await page.keyboard.press('/');
  await page.keyboard.type('initech');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Initech' }).waitFor();
});

it('Ctrl+K searches', async () => {
  const page = await open('/ui/customers');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('globex');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Globex' }).waitFor();
});

it('a menu closes by Escape, which keeps the focus on it, and by a click elsewhere', async () => {
  const page = await open('/ui/customers');
  const clock = page.locator('.bar summary').filter({ hasText: 'Clock' });
  const inside = page.getByRole('button', { name: 'One hour' });

  await clock.click();
  await inside.focus();
  await page.keyboard.press('Escape');
  expect(await inside.isVisible()).toBe(false);
  expect(await clock.evaluate((each) => each === document.activeElement)).toBe(true);

  await clock.click();
  await inside.waitFor();
  await page.getByText('No money moves.').click();
  expect(await inside.isVisible()).toBe(false);
});

it('a list in use offers new rows behind a button', async () => {
  const page = await open('/ui/requests');
  await page.locator('tbody a').first().focus();

  for (let count = 1; count <= 5; count += 1)
    await client.api('getCustomer', { path: { customerId: `cust_news_${count}` } }, 404);

  await page.getByRole('button', { name: '5 new' }).click();
  await page.getByRole('link', { name: '/customers/cust_news_5' }).waitFor();
});

it('a list that a refused form shows again offers new rows too', async () => {
  const page = await open('/ui/requests');
  await page.locator('summary').filter({ hasText: 'Make it fail' }).click();
  await page.locator('select[name=operation]').selectOption('createVendor');
  await page.getByLabel('What happens').selectOption('Webhook lost');
  await page.getByRole('button', { name: 'Make it fail' }).click();
  await page.getByRole('alert').waitFor();

  await client.api('getCustomer', { path: { customerId: 'cust_refused' } }, 404);

  await page.getByRole('link', { name: '/customers/cust_refused' }).waitFor();
});

it('the reference finds an operation by its words and sends it with a form', async () => {
  const page = await open('/docs');

  await page.getByRole('searchbox', { name: 'Filter' }).fill('create customer');
  await page.getByRole('link', { name: 'Create a customer' }).click();
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByLabel('name (required)').fill('Hooli');
  await page.getByLabel('external_id', { exact: true }).fill('hooli');
  await page.getByLabel('subscriptions, JSON').fill('');
  await page.getByRole('button', { name: 'Send POST /customers' }).click();

  await page.getByRole('heading', { level: 1, name: /1 customer of Hooli/ }).waitFor();
  const query = { external_id: 'hooli' };
  expect((await client.api('listCustomers', { query })).name).toBe('Hooli');
});

it('a page of the reference weighs less than 400 KB with all that it loads', async () => {
  for (const path of [
    '/docs',
    '/docs/control',
    '/docs/assumptions',
    '/docs/operations/createProduct',
  ]) {
    const page = await openPage();
    let bytes = 0;
    page.on('response', async (response) => {
      bytes += (await response.body()).length;
    });
    await page.goto(base + path, { waitUntil: 'networkidle' });

    expect([path, bytes < 400_000]).toEqual([path, true]);
    await page.close();
  }
});
