import axe from 'axe-core';
import type { ConsoleMessage, Page } from 'playwright-core';
import { expect } from 'vitest';
import { reusePage } from './browser.ts';

const MAX_HTML = 200;
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the colour scheme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
/** The rules whose result depends on the width. */
const WIDTHS = [...COLOURS, 'target-size', 'scrollable-region-focusable', 'label', 'link-name'];

/** How a page is looked at, and the rules of accessibility whose result can differ from the first view. */
interface View {
  readonly size: readonly [width: number, height: number];
  readonly media: NonNullable<Parameters<Page['emulateMedia']>[0]>;
  readonly rules: readonly string[];
}

const LIGHT = { colorScheme: 'light', forcedColors: 'none' } as const;
const DARK = { colorScheme: 'dark', forcedColors: 'none' } as const;
const FORCED = { colorScheme: 'light', forcedColors: 'active' } as const;

/** Zoomed to 200 %, a window of 1280 by 800 pixels has half as many CSS pixels. */
export const VIEWS = {
  light: { size: [1280, 800], media: LIGHT, rules: STANDARDS },
  dark: { size: [1280, 800], media: DARK, rules: COLOURS },
  forced: { size: [1280, 800], media: FORCED, rules: COLOURS },
  zoomed: { size: [640, 400], media: LIGHT, rules: [] },
  phone: { size: [390, 844], media: LIGHT, rules: WIDTHS },
  narrow: { size: [320, 640], media: DARK, rules: [] },
} as const satisfies Readonly<Record<string, View>>;

/** Elements that are cut off and have neither scrolling nor a tooltip. Tables and text may scroll by themselves. */
const CUT_OFF = `[...document.querySelectorAll('body *')].flatMap((each) => {
  const { overflowX, overflowY, clipPath, display } = getComputedStyle(each);
  if (display === 'inline' || clipPath !== 'none' || each.closest('[title], .skip, svg')) return [];
  const isCut = (overflow, rest) => rest > 1 && ['hidden', 'clip'].includes(overflow);
  return isCut(overflowX, each.scrollWidth - each.clientWidth) ||
    isCut(overflowY, each.scrollHeight - each.clientHeight)
    ? [each.outerHTML.slice(0, ${MAX_HTML})]
    : [];
})`;

/** Each row has a cell that is its header. */
const ROWS_WITHOUT_HEADER = `[...document.querySelectorAll('tbody tr:not(.day, :has(> th[scope=row]))')]
  .map((each) => each.outerHTML.slice(0, ${MAX_HTML}))`;

/** Scripts are notified of another colour scheme in the next frame, and their changes are visible in the one after. */
const TWO_FRAMES = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
})`;

/**
 * For tests: checks that a page is accessible, not wider than the window and cuts nothing off, on desktop and phone, at
 * 200 %, light, dark and in forced colours, with everything unfolded except menus, which would cover it. Checks that no
 * text became markup and that the page's content security policy blocked nothing.
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
    expect(await page.evaluate(ROWS_WITHOUT_HEADER)).toEqual([]);
    await page.evaluate(axe.source);
    for (const [view, { size, media, rules }] of Object.entries(VIEWS)) {
      const [width, height] = size;
      await page.emulateMedia(media);
      await page.setViewportSize({ width, height });
      await page.evaluate(TWO_FRAMES);
      if (rules.length > 0) expect(await violationsOf(page, rules), view).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(width);
      expect(await page.evaluate(CUT_OFF), view).toEqual([]);
    }
    expect(await page.title()).not.toBe('owned');
  } finally {
    page.off('console', note).off('pageerror', note);
  }
  // The console reports what the policy blocked. It also reports responses with 404 and 422.
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
}

/** Returns only violations, selected in the page: the passed checks would be most of a long result. */
const violationsOf = (page: Page, rules: readonly string[]): Promise<string[]> =>
  page.evaluate(`axe
    .run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], selectors: false })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => id + ': ' + html.slice(0, ${MAX_HTML}) + ' ' + (any[0]?.message ?? ''))))`);
