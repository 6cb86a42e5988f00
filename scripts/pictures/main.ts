import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from '../../src/testing/browser.ts';
import { everyPage, type Opener, type Openers, picturedPages } from './pages.ts';
import { openScene } from './scene.ts';
import { smallPng } from './small-png.ts';

/**
 * `npm run pictures`: takes the screenshots of the documentation. `npm run pictures -- --every [--only WORDS]
 * [--views NAME,…] [--to FOLDER]` takes screenshots of every page in every view instead, for review, and reports pages
 * that are wider than their window and broken links.
 */
const { values } = parseArgs({
  options: {
    every: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    views: { type: 'string', default: '' },
    to: { type: 'string', default: 'reports/pages' },
  },
});

const size = (width: number, height: number) => ({ viewport: { width, height } });

/** The views of pages. At 200 % zoom, a window of 1280 by 800 pixels has half as many CSS pixels. */
const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  light: size(1280, 800),
  dark: { ...size(1280, 800), colorScheme: 'dark' },
  phone: size(390, 844),
  narrow: size(320, 640),
  zoomed: size(640, 400),
  forced: { ...size(1280, 800), forcedColors: 'active' },
};

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
    const png = await page.screenshot({ fullPage });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== view.viewport?.width) report(`${name}: ${width} pixels wide`);
    await page.goto('about:blank');
    writeFileSync(path, values.every ? png : await smallPng(page, png));
  } catch (error) {
    report(`${name}: ${String(error).split('\n')[0]}`);
  }
  await context.close();
}

function report(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/** Pages in the requested views. */
function viewsOf(pages: Openers): readonly Picture[] {
  const views = values.views.split(',').filter(Boolean);
  return Object.entries(VIEWS)
    .filter(([view]) => views.length === 0 || views.includes(view))
    .flatMap(([view, options]) =>
      Object.entries(pages)
        .filter(([name]) => new RegExp(values.only).test(name))
        .map(([name, open]) => ({
          name: `${name}, ${view}`,
          open,
          view: options,
          path: `${values.to}/${name.replaceAll(' ', '-')}.${view}.png`,
          fullPage: true,
        })),
    );
}

const scene = await openScene();
const browser = await launchBrowser();
try {
  mkdirSync(values.to, { recursive: true });
  const pictures = values.every ? viewsOf(await everyPage(scene, report)) : picturedPages(scene);
  for (const picture of pictures) await draw(browser, picture);
} finally {
  await browser.close();
  await scene.close();
}
