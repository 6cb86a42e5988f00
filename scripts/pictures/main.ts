import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from '../../src/testing/browser.ts';
import { crawl } from '../../src/testing/crawl.ts';
import {
  linkedPages,
  type Opener,
  type Openers,
  openEveryPage,
} from '../../src/testing/every-page.ts';
import { VIEWS } from '../../src/testing/views.ts';
import { openScene, POPULATED, picturedPages } from './scene.ts';

/**
 * `npm run pictures`: takes the screenshots of the documentation. `npm run pictures -- --every [--only WORDS]`
 * takes screenshots of every page in every view instead, for review.
 */
const { values } = parseArgs({
  options: {
    every: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

/** The folder of the screenshots for review. */
const REVIEWED = 'reports/pages';

interface Picture {
  readonly name: string;
  readonly open: Opener;
  readonly view: BrowserContextOptions;
  readonly path: string;
  /** Whether the part below the window is included. */
  readonly fullPage: boolean;
}

/** Takes a screenshot. Reports a failure and continues. */
async function draw(
  browser: Browser,
  { name, open, view, path, fullPage }: Picture,
): Promise<void> {
  const context = await browser.newContext({ ...view, reducedMotion: 'reduce' });
  const page = await context.newPage();
  try {
    await open(page);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ fullPage, path });
  } catch (error) {
    process.stderr.write(`${name}: ${String(error).split('\n')[0]}\n`);
    process.exitCode = 1;
  }
  await context.close();
}

/** The requested pages in every view. */
function viewsOf(pages: Openers): readonly Picture[] {
  const wanted = Object.entries(pages).filter(([name]) => new RegExp(values.only).test(name));
  return Object.entries(VIEWS).flatMap(([view, { size, media }]) =>
    wanted.map(([name, open]) => ({
      name: `${name}, ${view}`,
      open,
      view: { viewport: { width: size[0], height: size[1] }, ...media },
      path: `${REVIEWED}/${name.replaceAll(' ', '-')}.${view}.png`,
      fullPage: true,
    })),
  );
}

/** The linked pages of the populated world. */
async function populatedPages(url: string): Promise<Openers> {
  const { addresses } = await crawl(`${url}/_emulator/ui?key=${POPULATED}`);
  const named = Object.entries(linkedPages(addresses));
  return Object.fromEntries(named.map(([name, open]) => [`populated ${name}`, open]));
}

const scene = await openScene();
const every = values.every ? await openEveryPage() : undefined;
const browser = await launchBrowser();
try {
  mkdirSync(REVIEWED, { recursive: true });
  const pictures = every
    ? viewsOf({ ...every.pages, ...(await populatedPages(scene.url)) })
    : picturedPages(scene);
  for (const picture of pictures) await draw(browser, picture);
} finally {
  await browser.close();
  await every?.close();
  await scene.close();
}
