import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../src/testing/chromium.ts';
import { publish } from './publish.ts';
import { median } from './statistics.ts';

/**
 * Measures how soon a browser paints pages of the inspector in a world with 1,000 customers and 10,000
 * requests: `npm run bench -- pages`. Each is opened in a browser that has kept nothing.
 */
const ROUNDS = 5;

const PAGES: Readonly<Record<string, (customer: string) => string>> = {
  Overview: () => '',
  Requests: () => '/requests',
  'Requests, searched': () => '/requests?q=customer:customer-7+status:204',
  Customers: () => '/customers',
  'A customer with 4,500 usage events': (customer) => `/customers/${customer}`,
  Ledger: () => '/ledger',
  Usage: () => '/events',
  Profit: () => '/profit',
};

interface Ready {
  readonly url: string;
  readonly values: { readonly customer: string };
}

const server = fork(fileURLToPath(new URL('inspector-server.ts', import.meta.url)), {
  execArgv: ['--import', 'tsx'],
});
const [{ url, values }] = (await once(server, 'message')) as [Ready];
const browser = await launchBrowser();
const figures: Record<string, number[]> = {};
for (const [name, pathOf] of Object.entries(PAGES)) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(await timeFirstPaint(`${url}/_emulator/ui${pathOf(values.customer)}`));
  figures[name] = times;
}
await browser.close();
server.kill();
const lines = Object.entries(figures).map(
  ([name, times]) => `| ${name} | ${Math.round(median(times))} ms |`,
);
publish('pages', ['| page of the inspector | first paint |', '|---|---|', ...lines], figures);

/** Milliseconds from asking for a page to seeing its words. */
async function timeFirstPaint(address: string): Promise<number> {
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
