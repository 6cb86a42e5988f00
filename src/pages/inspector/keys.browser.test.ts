import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '../../testing/browser.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { seedBusyWorld } from '../../testing/inspected.ts';

let client: TestClient;
let base: string;
let customer: string;

beforeAll(async () => {
  client = createTestClient({ port: 0 });
  base = `${await client.emulator.listen()}/_emulator/ui`;
  ({ customer } = await seedBusyWorld(client, 'http://127.0.0.1:9/hook'));
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

it('the keys / j Enter and ? search, select a row, open it and list the keys', async () => {
  const page = await open('/ledger');
  await page.keyboard.press('/');
  await page.keyboard.type('acme');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor();

  await page.goto(`${base}/requests?q=operation:submitEvents`);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');

  const trace = page.getByTestId('trace');
  await trace.getByText('Usage event').first().waitFor();
  await page.keyboard.press('?');
  await page.getByText('move', { exact: false }).last().waitFor();
});

it('the key / searches the world of the page', async () => {
  await client.api('createCustomer', { key: 'key_test_other', body: { name: 'Initech' } }, 201);
  const page = await open('/customers/profit?key=key_test_other');

  await page.keyboard.press('/');
  await page.keyboard.type('initech');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Initech' }).waitFor();
});

it('j and k move through tables and timelines, Ctrl+K searches, Escape closes menus', async () => {
  const page = await open('/customers');
  for (const path of ['/customers', customer]) {
    await page.goto(base + path);
    const places: number[] = [];
    for (const key of ['j', 'j', 'k']) {
      await page.keyboard.press(key);
      places.push(await page.evaluate<number>(PLACE_OF_SELECTED));
    }
    expect([path, places]).toEqual([path, [0, 1, 0]]);
  }

  await page.keyboard.press('Control+k');
  await page.keyboard.type('globex');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Globex' }).waitFor();
  await page.locator('.bar summary').filter({ hasText: 'Clock' }).click();
  await page.getByRole('button', { name: 'One hour' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'One hour' }).isVisible()).toBe(false);
});

const PLACE_OF_SELECTED = `[...document.querySelectorAll('main tbody tr:not(.day)')]
  .findIndex((each) => each.classList.contains('selected'))`;

it('a list with a selected row offers new rows behind a button', async () => {
  const page = await open('/requests');
  await page.keyboard.press('j');

  for (let count = 1; count <= 5; count += 1)
    await client.api('getCustomer', { path: { customerId: `cust_news_${count}` } }, 404);

  await page.getByRole('button', { name: '5 new' }).click();
  await page.getByRole('link', { name: '/customers/cust_news_5' }).waitFor();
});
