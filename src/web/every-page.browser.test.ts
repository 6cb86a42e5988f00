import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../testing/browser.ts';
import { type HostedStage, openHostedStage } from '../testing/hosted.ts';
import { openBusyPortal, openEmptyPortal, openHostilePortal } from '../testing/portals.ts';

/** Every page as people see it, looked at by axe. The pictures are for looking at, too. */
const PICTURES = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const VIEWS = [
  { view: 'desktop light', width: 1280, height: 900, colorScheme: 'light' },
  { view: 'desktop dark', width: 1280, height: 900, colorScheme: 'dark' },
  { view: 'phone light', width: 375, height: 740, colorScheme: 'light' },
  { view: 'phone dark', width: 375, height: 740, colorScheme: 'dark' },
] as const;

let browser: Browser;
let stage: HostedStage;
let busy: string;
let hostile: string;
let hostileCheckout: string;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  browser = await openBrowser();
  stage = await openHostedStage();
  busy = await openBusyPortal(stage);
  ({ portal: hostile, checkout: hostileCheckout } = await openHostilePortal(stage));
});

afterAll(async () => {
  await browser.close();
  await stage.close();
});

const PAGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  checkout: async (page) => page.goto((await stage.topUp({ description: '5,000 credits' })).url),
  'checkout of a subscription': async (page) => page.goto((await stage.subscribe()).url),
  'checkout to correct': async (page) => {
    await page.goto((await stage.topUp()).url);
    await page.getByTestId('pay').click();
  },
  'checkout after a refusal': async (page) => {
    const { url } = await stage.topUp();
    await stage.client.http
      .post(`${new URL(url).pathname}/pay`)
      .type('form')
      .send({ number: '4000000000000069', expiry: '12/34', cvc: '123' });
    await page.goto(url);
  },
  'checkout by bank debit': async (page) => {
    await page.goto((await stage.topUp()).url);
    await page.getByTestId('method-bank-debit').check();
  },
  'checkout of hostile text': (page) => page.goto(hostileCheckout),
  confirmation: async (page) => {
    await page.goto((await stage.topUp()).url);
    await page.getByLabel('Card number').fill('4000002500003155');
    await page.getByLabel('Expiry').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByTestId('pay').click();
    await page.getByTestId('confirm').waitFor();
  },
  processing: async (page) => {
    const { url } = await stage.topUp();
    await stage.client.http
      .post(`${new URL(url).pathname}/pay`)
      .type('form')
      .send({ method: 'bank_debit' });
    await page.goto(url);
  },
  'page not found': (page) => page.goto(new URL('/hosted/checkout/none', busy).href),
  'empty portal': async (page) => page.goto(await openEmptyPortal(stage)),
  portal: (page) => page.goto(busy),
  'portal of hostile text': (page) => page.goto(hostile),
};

it.each(Object.keys(PAGES))(
  '%s is accessible and fits, whatever it is seen on',
  async (name) => {
    // Colours fade from light to dark unless motion is unwanted.
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await PAGES[name]?.(page);
    await page.evaluate(
      "document.querySelectorAll('details').forEach((each) => { each.open = true })",
    );
    await page.evaluate(axe.source);
    for (const { view, width, height, colorScheme } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      const file = `${name} ${view}`.replaceAll(' ', '-');
      await page.screenshot({ path: `${PICTURES}${file}.png`, fullPage: true });
      expect(await violationsOf(page), view).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(width);
    }
    expect(await page.title()).not.toBe('owned');
    // What the policy keeps out is told here. The browser mentions answers of 404 and 422 as well.
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    await context.close();
  },
  30_000,
);

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
