import type { Page } from 'playwright-core';
import { errorPage, renderPage } from '../../src/pages/answer.tsx';
import { crawl } from '../../src/testing/crawl.ts';
import { HOSTILE, POPULATED, type Scene } from './scene.ts';

/** Opens a page in a browser. */
export type Opener = (page: Page) => Promise<unknown>;

/** Openers by the name of the page. */
export type Openers = Readonly<Record<string, Opener>>;

/** All pages: those of the inspector in a populated and an empty world, the hosted pages, and error pages. */
export async function everyPage(scene: Scene, report: (problem: string) => void): Promise<Openers> {
  const ui = `${scene.url}/_emulator/ui`;
  const { addresses, broken } = await crawl(`${ui}?key=${POPULATED}`);
  for (const each of broken) report(`Leads nowhere: ${each}`);
  const inspector = Object.entries(addresses).map(([kind, address]) => [kind, at(address)]);
  const empty = SECTIONS.map((path) => [
    `empty ${path.replace('/', '-') || 'overview'}`,
    at(`${ui}/${path}?key=key_test_empty`),
  ]);
  return {
    ...Object.fromEntries(inspector),
    ...Object.fromEntries(empty),
    ...hostilePages(scene),
    ...standing(scene),
    ...hosted(scene),
    ...rejections(scene),
  };
}

const at = (address: string) => (page: Page) => page.goto(address);

const SECTIONS = [
  '',
  'requests',
  'webhooks',
  'customers',
  'customers/profit',
  'events',
  'ledger',
  'products',
  'time',
  'send',
];

/** Pages of the world with texts that are hard to show. */
function hostilePages({ url, hostile }: Scene): Openers {
  const paths = ['', 'customers', `customers/${hostile}`, 'requests', 'events', 'ledger'];
  const openers = paths.map((path) => [
    `hostile ${path.replace(/\/.*/, ' one') || 'overview'}`,
    at(`${url}/_emulator/ui/${path}?key=${HOSTILE}`),
  ]);
  return Object.fromEntries(openers);
}

/** The front page, the documentation, and overlays and replacements of a page. */
function standing({ url, busiest, idle }: Scene): Openers {
  const ui = `${url}/_emulator/ui`;
  return {
    'front page': at(`${url}/?sent=1`),
    reference: at(`${url}/_emulator/docs`),
    'reference of control': at(`${url}/_emulator/docs/control`),
    'reference of an operation': at(`${url}/_emulator/docs/operations/createCustomer`),
    assumptions: at(`${url}/_emulator/docs/assumptions`),
    'customer with the most': at(`${ui}/customers/${busiest}?key=${POPULATED}`),
    'customer with nothing': at(`${ui}/customers/${idle}?key=${POPULATED}`),
    'requests of usage': at(`${ui}/requests?key=${POPULATED}&q=operation:submitEvents`),
    'trace of the first fee': openFirstRequest(ui),
    'fee explained': openFirstFee(url),
    'live world': at(`${ui}?key=key_live_emulator`),
    'menu of worlds': opening(ui, 'World'),
    'menu of the clock': opening(ui, 'Clock'),
    'menu that makes it fail': opening(ui, 'Make it fail'),
    'action of the command box': at(`${ui}/go?key=${POPULATED}&id=advance+1+month`),
    'comparison of snapshots': at(`${ui}/time/compare?key=${POPULATED}&to=before-the-outage`),
    'comparison after a month': openMonth(ui),
    // In a world of its own, as later pictures show what a restore would remove.
    'after a restore': async (page) => {
      await page.goto(`${ui}/time?key=key_test_restored`);
      await page.getByLabel('Name', { exact: true }).fill('before');
      await page.getByRole('button', { name: 'Save a snapshot' }).click();
      await page
        .getByRole('button', { name: /^Restore/ })
        .first()
        .click();
      await page.locator('.toast').waitFor();
    },
  };
}

/** Opens the comparison of a world with itself a month earlier. */
const openMonth = (ui: string) => async (page: Page) => {
  const post = (path: string, body: Readonly<Record<string, string>>) =>
    fetch(`${ui}/${path}?key=key_test_month`, { method: 'POST', body: new URLSearchParams(body) });
  await post('populate', { customers: '20' });
  await post('time/snapshots', { name: 'before' });
  await post('time/advance', { by: 'P1M' });
  await page.goto(`${ui}/time/compare?key=key_test_month&from=before`);
};

const opening = (ui: string, name: string) => async (page: Page) => {
  await page.goto(`${ui}/requests?key=${POPULATED}`);
  await page.locator('.menu > summary').filter({ hasText: name }).click();
};

/** The pages for customers. */
function hosted(scene: Scene): Openers {
  const pay = (number: string) => async (page: Page) => {
    await page.goto(await scene.checkout());
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Expiry').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByTestId('pay').click();
  };
  return {
    portal: async (page) => page.goto(await scene.portal(scene.busiest)),
    'portal of nothing': async (page) => page.goto(await scene.portal(scene.idle)),
    checkout: async (page) => page.goto(await scene.checkout()),
    'checkout filled': async (page) => page.goto(`${await scene.checkout()}?card=4242424242424242`),
    'checkout to correct': pay('4242'),
    'checkout confirmation': pay('4000002500003155'),
    'checkout after a rejection': async (page) => {
      const link = await scene.checkout();
      const body = new URLSearchParams({ number: '4000000000000069', expiry: '12/34', cvc: '123' });
      await fetch(`${link}/pay`, { method: 'POST', body, redirect: 'manual' });
      await page.goto(link);
    },
    'checkout on its way': async (page) => {
      const link = await scene.checkout();
      const body = new URLSearchParams({ method: 'bank_debit' });
      await fetch(`${link}/pay`, { method: 'POST', body, redirect: 'manual' });
      await page.goto(link);
    },
  };
}

/** Error pages. */
function rejections({ url }: Scene): Openers {
  const ui = `${url}/_emulator/ui`;
  return {
    'no such page': at(`${ui}/nothing`),
    'no such id': at(`${ui}/go?id=cust_none`),
    'no such link': at(`${url}/hosted/checkout/none`),
    'no such key': at(`${ui}?key=wrong`),
    'no such field': at(`${ui}/ledger?key=${POPULATED}&q=colour:red+amount:>0+-refund`),
    'nothing found': at(`${ui}/customers?key=${POPULATED}&q=nobody`),
    'not understood': at(`${url}/hosted/checkout/%`),
    broken: async (page) => {
      await page.goto(`${url}/hosted/checkout/none`);
      const answer = errorPage('broken', { ui: 'on' });
      if ('page' in answer) await page.setContent(renderPage(answer.page));
    },
  };
}

/** The pages shown in the documentation, and the part of each. */
export function picturedPages(scene: Scene) {
  const ui = `${scene.url}/_emulator/ui`;
  const parts: Readonly<Record<string, readonly [open: Opener, width: number, height: number]>> = {
    'front-page': [at(`${scene.url}/?sent=1`), 1100, 980],
    request: [openFirstRequest(ui), 1100, 560],
    fee: [openFirstFee(scene.url), 1100, 1000],
    customer: [at(`${ui}/customers/${scene.busiest}?key=${POPULATED}`), 1280, 800],
    checkout: [async (page) => page.goto(await scene.checkout()), 1040, 860],
    portal: [async (page) => page.goto(await scene.portal(scene.busiest)), 1040, 1060],
  };
  return Object.entries(parts).map(([name, [open, width, height]]) => ({
    name,
    open,
    view: { viewport: { width, height } },
    path: `docs/pictures/${name}.png`,
    fullPage: false,
  }));
}

const openFirstRequest = (ui: string) => async (page: Page) => {
  await page.goto(`${ui}/requests?q=operation:submitEvents`);
  await page.locator('tbody a').first().click();
};

const openFirstFee = (url: string) => async (page: Page) => {
  await page.goto(`${url}/?sent=1`);
  await page.getByRole('link', { name: 'Why?' }).click();
};
