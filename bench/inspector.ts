import type { Browser } from 'playwright-core';
import { launchBrowser } from '../src/testing/browser.ts';
import { pages, type Read, searches, withKey } from './growth-reads.ts';
import { openSmallAndLarge } from './growth-world.ts';
import { count, median, operands, publish } from './publish.ts';

/**
 * `npm run bench -- pages [events] [customers]`: measures the time until a browser paints pages and searches of the
 * inspector in a large world, next to a world of 1,000 events. Each is opened with an empty browser cache.
 */
const ROUNDS = 7;

interface Figures {
  readonly name: string;
  readonly small: readonly number[];
  readonly large: readonly number[];
}

const [events = 100_000, customers = 10_000] = operands().map(Number);
const { emulator, url, ...worlds } = await openSmallAndLarge({ events, customers });
// The request log is full in the large world, and has one page in the small one.
for (const [name, requests] of Object.entries({ small: 50, large: 500 })) {
  const headers = { Authorization: `Bearer key_test_${name}` };
  for (let sent = 0; sent < requests; sent += 1)
    await (await fetch(`${url}/customers?limit=${(sent % 40) + 1}`, { headers })).text();
}
const browser = await launchBrowser();
const figures: Figures[] = [];
for (const read of [...pages, ...searches]) figures.push(await compare(browser, read));
await browser.close();
await emulator.close();
publish(
  'pages',
  [
    `| first paint | at 1,000 events | at ${count(events)} events | ratio |`,
    '|---|---|---|---|',
    ...figures.map(({ name, small, large }) => {
      const ratios = large.map((time, round) => time / (small[round] ?? Number.NaN));
      return `| ${name} | ${count(median(small))} ms | ${count(median(large))} ms | ${median(ratios).toFixed(1)} |`;
    }),
  ],
  figures,
);

/** Measures the worlds in turns. The first visit is not counted. */
async function compare(browser: Browser, read: Read): Promise<Figures> {
  const figures = { name: read.name, small: [] as number[], large: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const size of ['small', 'large'] as const) {
      const address = url + withKey(read.path(worlds[size]), `key_test_${size}`);
      const time = await timeFirstPaint(browser, address);
      if (round > 0) figures[size].push(time);
    }
  process.stderr.write(`${read.name}: ${median(figures.small)} ${median(figures.large)}\n`);
  return figures;
}

/** Returns the milliseconds from the request for a page to its first text. */
async function timeFirstPaint(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  const time = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const paint = list.getEntriesByName('first-contentful-paint')[0];
      if (paint) resolve(paint.startTime);
    }).observe({ type: 'paint', buffered: true });
  })`);
  await context.close();
  return time;
}
