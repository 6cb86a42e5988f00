import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './chromium.ts';

/** For tests: the browser of a test file, to be closed at its end. */
export const openBrowser = launchBrowser;

/** Shorter than a test may take, so that a test that waits in vain says what for. */
const PATIENCE = 30_000;

/** For tests: a page in a context of its own. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  return context.newPage();
}
