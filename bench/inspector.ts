import type { Browser } from 'playwright-core';
import { launchBrowser } from '../src/testing/browser.ts';
import { pages, type Read, searches, withKey } from './growth-reads.ts';
import type { SeededWorld } from './growth-world.ts';
import { runBeside } from './process.ts';
import { count, median, operands, publish } from './publish.ts';

/**
 * `npm run bench -- pages [events] [customers]`: measures the time until a browser paints pages and searches of the
 * inspector in a large world, next to a world of 1,000 events. Each is opened with an empty browser cache.
 */
const ROUNDS = 7;

interface Ready {
  readonly url: string;
  readonly worlds: Readonly<Record<'small' | 'large', Omit<SeededWorld, 'world'>>>;
}

interface Figures {
  readonly name: string;
  readonly small: readonly number[];
  readonly large: readonly number[];
}

const [events = '100000', customers = '10000'] = operands();
const { child: server, told: ready } = await runBeside<Ready>('inspector-server.ts', [
  events,
  customers,
]);
const browser = await launchBrowser();
const figures: Figures[] = [];
for (const read of [...pages, ...searches]) figures.push(await compare(browser, ready, read));
await browser.close();
server.kill();
publish(
  'pages',
  [
    `| first paint | at 1,000 events | at ${count(Number(events))} events | ratio |`,
    '|---|---|---|---|',
    ...figures.map(({ name, small, large }) => {
      const ratios = large.map((time, round) => time / (small[round] ?? Number.NaN));
      return `| ${name} | ${count(median(small))} ms | ${count(median(large))} ms | ${median(ratios).toFixed(1)} |`;
    }),
  ],
  figures,
);

/** Measures the worlds in turns. The first visit is not counted. */
async function compare(browser: Browser, { url, worlds }: Ready, read: Read): Promise<Figures> {
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
