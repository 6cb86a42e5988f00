import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '../../testing/browser.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

let client: TestClient;
let base: string;

beforeAll(async () => {
  client = createTestClient({ port: 0 });
  base = `${await client.emulator.listen()}/_emulator/ui`;
  await client.api('listCustomers');
  await client.api('createCustomer', { body: { name: 'Globex' } }, 201);
});

afterAll(async () => {
  await client.emulator.close();
});

async function open(path: string): Promise<Page> {
  const page = await openPage();
  await page.goto(base + path);
  return page;
}

it('the key / searches the world of the page', async () => {
  await client.api('createCustomer', { key: 'key_test_other', body: { name: 'Initech' } }, 201);
  const page = await open('/customers/profit?key=key_test_other');

  await page.keyboard.press('/');
  await page.keyboard.type('initech');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Initech' }).waitFor();
});

it('Ctrl+K searches, and Escape closes menus', async () => {
  const page = await open('/customers');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('globex');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Globex' }).waitFor();
  await page.locator('.bar summary').filter({ hasText: 'Clock' }).click();
  await page.getByRole('button', { name: 'One hour' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'One hour' }).isVisible()).toBe(false);
});

it('a list in use offers new rows behind a button', async () => {
  const page = await open('/requests');
  await page.locator('tbody a').first().focus();

  for (let count = 1; count <= 5; count += 1)
    await client.api('getCustomer', { path: { customerId: `cust_news_${count}` } }, 404);

  await page.getByRole('button', { name: '5 new' }).click();
  await page.getByRole('link', { name: '/customers/cust_news_5' }).waitFor();
});
