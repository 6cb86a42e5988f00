import axe from 'axe-core';
import type { ConsoleMessage, Page } from 'playwright-core';
import { expect } from 'vitest';
import { reusePage } from './browser.ts';

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All that another colour scheme can change, on whatever screen. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

const VIEWS = [
  { view: 'desktop light', width: 1280, height: 900, colorScheme: 'light', rules: STANDARDS },
  { view: 'desktop dark', width: 1280, height: 900, colorScheme: 'dark', rules: COLOURS },
  { view: 'phone dark', width: 375, height: 740, colorScheme: 'dark', rules: [] },
  { view: 'phone light', width: 375, height: 740, colorScheme: 'light', rules: STANDARDS },
] as const;

const MOST_HTML = 200;

/** Scripts hear of another colour scheme with the next frame, and what they change is seen in the one after it. */
const TWO_FRAMES = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
})`;

/**
 * For tests: insists that a page is accessible and as wide as the screen, on desktop and phone, light and
 * dark, with everything unfolded but menus, which would lie over it; that no text became markup; and that its
 * policy kept nothing out.
 */
export async function expectSoundViews(open: (page: Page) => Promise<unknown>): Promise<void> {
  const page = await reusePage();
  const complaints: string[] = [];
  const note = (said: ConsoleMessage | Error) =>
    complaints.push(said instanceof Error ? said.message : said.text());
  page.on('console', note).on('pageerror', note);
  try {
    await open(page);
    await page.evaluate(
      "document.querySelectorAll('details:not([name])').forEach((each) => { each.open = true })",
    );
    await page.evaluate(axe.source);
    for (const { view, width, height, colorScheme, rules } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.evaluate(TWO_FRAMES);
      if (rules.length > 0) expect(await violationsOf(page, rules), view).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(width);
    }
    expect(await page.title()).not.toBe('owned');
  } finally {
    page.off('console', note).off('pageerror', note);
  }
  // What the policy keeps out is told here. The browser mentions answers of 404 and 422 as well.
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
}

/** What breaks the rules, told in the page: what passes them would be most of a long answer. */
const violationsOf = (page: Page, rules: readonly string[]): Promise<string[]> =>
  page.evaluate(`axe
    .run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], selectors: false })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => id + ': ' + html.slice(0, ${MOST_HTML}) + ' ' + (any[0]?.message ?? ''))))`);
