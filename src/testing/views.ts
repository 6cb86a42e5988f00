import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Where pictures of pages go, for looking at. */
const PICTURES = fileURLToPath(new URL('../../screenshots/', import.meta.url));

const VIEWS = [
  { view: 'desktop light', width: 1280, height: 900, colorScheme: 'light' },
  { view: 'desktop dark', width: 1280, height: 900, colorScheme: 'dark' },
  { view: 'phone light', width: 375, height: 740, colorScheme: 'light' },
  { view: 'phone dark', width: 375, height: 740, colorScheme: 'dark' },
] as const;

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** For tests: insists that a page is accessible and as wide as the screen, light and dark, and takes pictures. */
export async function expectSoundViews(browser: Browser, name: string, url: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  // Colours fade from light to dark unless motion is unwanted.
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(axe.source);
  for (const { view, width, height, colorScheme } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    const file = `${name} ${view}`.replaceAll(' ', '-');
    await page.screenshot({ path: `${PICTURES}${file}.png`, fullPage: true });
    expect(await violationsOf(page), view).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(width);
  }
  await context.close();
}

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
