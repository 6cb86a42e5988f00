import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from './testing/browser.ts';
import { PER_IMAGE } from './testing/catalog.ts';
import { createTestClient, type TestClient } from './testing/client.ts';
import { callsFor } from './testing/customer.ts';

let client: TestClient;
let base: string;

beforeAll(async () => {
  client = createTestClient({ port: 0 });
  base = `${await client.emulator.listen()}/_emulator`;
  await furnish();
});

afterAll(() => client.emulator.close());

/** Creates two customers; the first has credit and usage. */
async function furnish(): Promise<void> {
  const acme = { name: 'Acme', external_id: 'acme' };
  const { id: customerId } = await client.api('createCustomer', { body: acme }, 201);
  const { product, subscribeTo, credit, use } = callsFor({ client, customerId });
  await product('images', { name: 'Images', prices: [PER_IMAGE] });
  await subscribeTo('images');
  await credit('EUR', 10, { reason: 'gift', expires_at: '2026-03-01T00:00:00Z' });
  await use('image.generated');
  await client.api('createCustomer', { body: { name: 'Globex' } }, 201);
}

async function open(path: string): Promise<Page> {
  const page = await openPage();
  await page.goto(`${base}${path}`);
  return page;
}

it('the overview updates its figures when the world changes', async () => {
  const page = await open('/ui');
  const figure = page.locator('#overview').getByRole('link', { name: /^\d+ customers$/ });
  const before = Number((await figure.textContent())?.replace(/\D/g, ''));

  await client.api('createCustomer', { body: { name: 'Live' } }, 201);

  await page.getByRole('link', { name: `${before + 1} customers` }).waitFor();
  const section = page.locator('#sections a', { hasText: 'Customers' }).locator('small');
  expect(await section.textContent()).toBe(String(before + 1));
});

it('the request log shows a new request without a reload, and what it changed', async () => {
  const page = await open('/ui/requests?q="live too"');
  await page.getByText('No results.').waitFor();

  await client.api('createCustomer', { body: { name: 'Live too' } }, 201);

  await page.getByRole('link', { name: '/customers' }).click();
  await page.getByTestId('trace').getByText('Live too').waitFor();
  await page.getByText('As curl').click();
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
});

it('a printed page has no navigation, search or copy buttons, also on wide paper', async () => {
  const page = await open('/ui/requests/1');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ media: 'print' });

  await page.getByText('As curl').waitFor();
  for (const left of ['nav.sections', '.bar', '.copy'])
    expect([left, await page.locator(left).first().isVisible()]).toEqual([left, false]);
});

it('a browser set to large text gets the narrower layout, and nothing is wider than the window', async () => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await page.goto(`${base}/ui/customers`);

  await page.getByRole('button', { name: 'Sections' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
});

it('the request log is sorted by a click on a column and searched by a click on a chip', async () => {
  const page = await open('/ui/requests');
  await page.getByRole('link', { name: 'Status', exact: true }).click();
  await page
    .getByRole('columnheader', { name: 'Status' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor();

  await page.getByRole('link', { name: /^2xx/ }).click();

  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('status:2*');
});

it('the page of a request traces usage to the grant it drew from', async () => {
  const page = await open('/ui/requests?q=operation:submitEvents');
  await page.locator('tbody a').first().click();

  const trace = page.getByTestId('trace');
  await trace.getByText('Drawn from grant').waitFor();
  expect(await trace.getByText('Ledger transaction').count()).toBe(1);
});

it('the clock page advances the clock and rejects a time in the past, without script', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(`${base}/ui/time`);
  expect(await page.getByTestId('now').textContent()).toBe('15 Jan 2026, 12:00:00');

  await page.getByRole('button', { name: 'One day' }).last().click();
  expect(await page.getByTestId('now').textContent()).toBe('16 Jan 2026, 12:00:00');
  await page.getByLabel('To (UTC)').fill('2026-01-01T00:00:00Z');
  await page.getByRole('button', { name: 'Advance', exact: true }).click();
  expect(await page.getByRole('alert').textContent()).toContain('only goes forward');

  await page.getByLabel('To (UTC)').fill('2026-03-02');
  await page.getByRole('button', { name: 'Advance', exact: true }).click();
  expect(await page.getByTestId('now').textContent()).toBe('2 Mar 2026, 00:00:00');
  await page.getByText('Credit ends: Promotion').first().waitFor();
});

it('links lead from an empty world to records, lists and other worlds, without script', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goto(`${base}/ui?key=key_test_scriptless`);
  await page.getByRole('button', { name: 'Quickstart: 2 customers' }).click();
  await page.getByRole('link', { name: '2 customers' }).click();
  await page.getByRole('link', { name: 'Acme' }).click();
  await page.getByRole('link', { name: /^Credit/ }).click();
  await page.getByRole('region', { name: 'Timeline' }).getByRole('link').first().click();
  await heading('Ledger');

  await page.getByRole('searchbox', { name: 'Find or do anything' }).fill('globex');
  await page.keyboard.press('Enter');
  await heading('Globex');
  await page.getByRole('link', { name: 'Ledger', exact: true }).first().click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('type:nothing');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Show all' }).click();
  expect(await page.getByTestId('count').textContent()).toContain('in all');

  await page.locator('.bar summary').filter({ hasText: 'scriptless' }).click();
  await page.getByRole('link', { name: 'emulator test' }).click();
  await heading('Overview');
  await page.goto(`${base}/ui/nothing?key=key_test_scriptless`);
  await page.getByRole('link', { name: /^Customers/ }).click();
  await heading('Customers');
});

it.each([
  ['light', 'none', 'rgb(224, 229, 224)', 'rgb(243, 245, 242)', 'rgb(93, 105, 99)'],
  ['dark', 'none', 'rgb(41, 48, 45)', 'rgb(26, 31, 29)', 'rgb(147, 158, 152)'],
  // Chromium's GrayText on its Canvas
  ['light', 'active', 'rgb(96, 0, 0)', 'rgb(255, 255, 255)', 'rgb(96, 0, 0)'],
] as const)('shows a button as disabled, in %s with forced colours %s', async (...expected) => {
  const [colorScheme, forcedColors, ...colours] = expected;
  const page = await open('/ui/time');
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
  const frozen = page.getByRole('button', { name: 'Freeze', disabled: true });
  const shown = () =>
    frozen.evaluate((button) => {
      const { borderTopColor, backgroundColor, color } = getComputedStyle(button);
      return [borderTopColor, backgroundColor, color];
    });

  expect(await shown()).toEqual(colours);
  await frozen.hover({ force: true });
  expect(await shown()).toEqual(colours);
});
