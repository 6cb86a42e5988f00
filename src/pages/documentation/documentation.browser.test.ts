import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '../../testing/browser.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { expectSoundViews } from '../../testing/views.ts';

let client: TestClient;
let base: string;

beforeAll(async () => {
  client = createTestClient({ port: 0 });
  base = await client.emulator.listen();
});

afterAll(async () => {
  await client.emulator.close();
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('[data-ready] .opblock').first().waitFor();
}

const operationOf = (page: Page) => page.locator('#operations-Accounts-getAccountContext');

async function openOperation(page: Page, address: string): Promise<void> {
  await open(page, address);
  await operationOf(page).getByRole('button').first().click();
  await operationOf(page).getByText('Responses', { exact: true }).waitFor();
}

it('the API reference calls the emulator without errors and requests no other origin', async () => {
  const page = await openPage();
  const formErrors: string[] = [];
  const places = new Set<string>();
  page.on('pageerror', ({ message }) => formErrors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') formErrors.push(message.text());
  });
  page.on('request', (request) => places.add(new URL(request.url()).origin));
  await openOperation(page, `${base}/_emulator/docs`);

  await operationOf(page).getByRole('button', { name: 'Execute' }).click();
  const answer = operationOf(page).locator('.live-responses-table');
  await answer.getByText('200').first().waitFor();

  const { accountId } = client.emulator.worlds.find('key_test_emulator') ?? {};
  expect(await answer.textContent()).toContain(accountId);
  expect([...places]).toEqual([base]);
  expect(formErrors).toEqual([]);
  await page.close();
});

it('the API reference sends the control token from its field', async () => {
  const guarded = createTestClient({ port: 0, admin_token: 'swordfish' });
  const page = await openPage();
  await page.goto(`${await guarded.emulator.listen()}/_emulator/docs/control?key=key_test_other`);
  await page.getByLabel('Control API token').fill('swordfish');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.locator('[data-ready] .opblock').first().waitFor();

  await page.getByLabel('Control API token').fill('swordfish');
  const operation = page.locator('#operations-Clock-getClock');
  await operation.getByRole('button').first().click();
  await operation.getByRole('button', { name: 'Execute' }).click();

  await operation.locator('.live-responses-table').getByText('200').first().waitFor();
  await page.context().close();
  await guarded.emulator.close();
});

it('the API reference offers no calls if the setting ui is read-only', async () => {
  const readOnly = createTestClient({ port: 0, ui: 'read-only' });
  const page = await openPage();
  await openOperation(page, `${await readOnly.emulator.listen()}/_emulator/docs`);

  expect(await page.getByRole('button', { name: /^(Try it out|Execute)$/ }).count()).toBe(0);

  await page.close();
  await readOnly.emulator.close();
});

it.each([
  [
    'documentation',
    async (page: Page) => {
      await openOperation(page, `${base}/_emulator/docs`);
      await operationOf(page).getByRole('button', { name: 'Execute' }).click();
      await operationOf(page).locator('.live-responses-table').waitFor();
      const withBody = page.locator('#operations-Customers-createCustomer');
      await withBody.getByRole('button').first().click();
      await withBody.getByText('Responses', { exact: true }).waitFor();
    },
  ],
  [
    'documentation of the control interface',
    (page: Page) => open(page, `${base}/_emulator/docs/control`),
  ],
])('the %s is accessible and fits in every view', (_name, show) => expectSoundViews(show));
