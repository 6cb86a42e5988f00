import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './chromium.ts';

/** Host names that resolve to this machine: an attacker's, one rebound to it, and one of a private network. */
const NAMES_OF_THIS_MACHINE = ['evil.example', 'rebind.example', 'billing.internal'];

/** Shorter than the timeout of a test, so that a failed wait names what it waited for. */
const PATIENCE = 30_000;

let browser: Promise<Browser> | undefined;
let reused: Promise<Page> | undefined;

/** For tests: a page in a context of its own. All test files of a worker share one browser. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= launchBrowser(NAMES_OF_THIS_MACHINE.map((name) => `MAP ${name} 127.0.0.1`).join(','));
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(PATIENCE);
  return context.newPage();
}

/** For tests that only read: a reused desktop page, with reduced motion so that no colour is in transition. */
export async function reusePage(): Promise<Page> {
  reused ??= openPage({ reducedMotion: 'reduce' });
  const page = await reused;
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.setViewportSize({ width: 1280, height: 720 });
  return page;
}
