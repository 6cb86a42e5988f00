import { afterAll, expect, it } from 'vitest';
import { openPage } from '../../testing/browser.ts';
import { createTestClient } from '../../testing/client.ts';

const client = createTestClient({ port: 0, fixture: 'quickstart' });
const base = `${await client.emulator.listen()}/_emulator`;

afterAll(() => client.emulator.close());

it('the reference finds an operation by its words and sends it with a form', async () => {
  const page = await openPage();
  await page.goto(`${base}/docs`);

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
