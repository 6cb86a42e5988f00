import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { errorPage, renderPage } from './pages/answer.tsx';
import { PAGE_PATHS } from './pages/paths.ts';
import { reusePage } from './testing/browser.ts';
import { createTestClient } from './testing/client.ts';
import { crawl } from './testing/crawl.ts';
import { openHostedPages } from './testing/hosted.ts';
import {
  HOSTILE_TEXTS,
  type RecordPages,
  seedBusyWorld,
  seedHostileWorld,
} from './testing/inspected.ts';
import { expectSoundViews } from './testing/views.ts';

/** Tests every page in a browser, in worlds with all kinds of records and with text that is hard to show. */
const client = createTestClient({ port: 0 });
const origin = await client.emulator.listen();
const ui = `${origin}/_emulator/ui`;
const guarded = createTestClient({ port: 0, admin_token: 'swordfish' });
const guardedUi = `${await guarded.emulator.listen()}/_emulator/ui/customers`;

const save = (name: string) => client.api('saveSnapshot', { body: { name } }, 201);
await save('empty');
const busy = await seedBusyWorld(client, `${origin}/_emulator/inbox/shop`);
await save('busy');
const hostilePages = await seedHostileWorld(client);
await client.api('flushDeliveries');
await save('furnished');
/** For each kind of linked page, the longest one. */
const { addresses, broken } = await crawl(ui);

const hosted = await openHostedPages({ external_id: 'hosted' });
const customerOf = ({ customer }: RecordPages): string => customer.slice('/customers/'.length);
const inbox = 'http://127.0.0.1:9/hook';
const portal = await hosted.portal(customerOf(await seedBusyWorld(hosted.client, inbox)));
const hostileCustomer = customerOf(await seedHostileWorld(hosted.client));
const { markup, rightToLeft, emoji, longName } = HOSTILE_TEXTS;
const description = `${markup} ${rightToLeft} ${emoji} ${longName}`;
const hostileTopUp = await hosted.topUp({ customer_id: hostileCustomer, description });
const hostilePortal = await hosted.portal(hostileCustomer);

afterAll(async () => {
  await client.emulator.close();
  await guarded.emulator.close();
  await hosted.close();
});

type Opener = (page: Page) => Promise<unknown>;

const at =
  (address: string): Opener =>
  (page) =>
    page.goto(address);

/** The inspector, the front page, and page states that only an action opens. */
const INSPECTOR: Readonly<Record<string, Opener>> = {
  ...Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, at(address)])),
  'front page': at(`${origin}/?sent=1`),
  ...recordsOf('busy', busy),
  ...recordsOf('hostile', hostilePages),
  'empty live world': at(`${ui}?key=key_live_empty`),
  'empty list': at(`${ui}/customers?key=key_test_empty`),
  'comparison of hostile text': at(`${ui}/time/compare?from=empty&to=furnished`),
  'comparison of the same': at(`${ui}/time/compare?from=furnished&to=furnished`),
  'comparison with nothing': at(`${ui}/time/compare?from=nowhere`),
  'wrong key': at(`${ui}?key=wrong`),
  'id that is not there': at(`${ui}/go?id=cust_none`),
  'search that knows no field': at(`${ui}/ledger?q=colour:red+amount:>0+-refund`),
  'page not found': at(`${ui}/nothing`),
  'token needed': at(guardedUi),
  'menu of worlds': opening('World'),
  'menu of the clock': opening('Clock'),
  'action of the command box': at(`${ui}/go?id=advance+1+month`),
  'form for usage': at(`${ui}/send?operation=submitEvents`),
  'form for a product': at(`${ui}/send?operation=createProduct`),
  'menu that makes it fail': opening('Make it fail', '/requests'),
  'menu of a customer': opening('More', busy.customer),
  'preview of a month': async (page) => {
    await page.goto(`${ui}/time`);
    await page.getByLabel('Only preview').check();
    await page.getByRole('button', { name: 'One month' }).last().click();
    await page.getByRole('heading', { name: 'What will happen' }).waitFor();
  },
  'reference of the service': at(`${origin}/_emulator/docs`),
  'reference of control': at(`${origin}/_emulator/docs/control`),
  'operation of the reference': at(`${origin}/_emulator/docs/operations/createProduct`),
  assumptions: at(`${origin}/_emulator/docs/assumptions`),
};

function recordsOf(what: string, pages: RecordPages) {
  const named = Object.entries(pages).map(([kind, path]) => [`${what} ${kind}`, at(ui + path)]);
  return Object.fromEntries(named) as Readonly<Record<string, Opener>>;
}

function opening(name: string, path = '/products'): Opener {
  return async (page) => {
    await page.goto(ui + path);
    await page.locator('.menu > summary').filter({ hasText: name }).click();
  };
}

/** The pages that customers see. */
const HOSTED: Readonly<Record<string, Opener>> = {
  checkout: async (page) => page.goto((await hosted.topUp({ description: '5,000 credits' })).url),
  'checkout of a subscription': async (page) => page.goto((await hosted.subscribe()).url),
  'checkout to correct': async (page) => {
    await page.goto((await hosted.topUp()).url);
    await page.getByTestId('pay').click();
  },
  'checkout after a rejection': paid({ number: '4000000000000069', expiry: '12/34', cvc: '123' }),
  'checkout by bank debit': async (page) => {
    await page.goto((await hosted.topUp()).url);
    await page.getByTestId('method-bank-debit').check();
  },
  'checkout of hostile text': at(hostileTopUp.url),
  confirmation: async (page) => {
    await page.goto((await hosted.topUp()).url);
    await page.getByLabel('Card number').fill('4000002500003155');
    await page.getByLabel('Expiry').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByTestId('pay').click();
    await page.getByTestId('confirm').waitFor();
  },
  processing: paid({ method: 'bank_debit' }),
  'empty portal': async (page) => {
    const { id } = await hosted.client.api('createCustomer', { body: { name: 'Initech' } }, 201);
    await page.goto(await hosted.portal(id));
  },
  portal: at(portal),
  'portal of hostile text': at(hostilePortal),
  'link not found': at(new URL('/hosted/checkout/none', portal).href),
  'request not understood': at(new URL('/hosted/checkout/%', portal).href),
  'something went wrong': async (page) => {
    await page.goto(new URL('/hosted/checkout/none', portal).href);
    const answer = errorPage('broken', { ui: 'on' });
    await page.setContent('page' in answer ? renderPage(answer.page) : '');
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  },
};

/** Opens the page of a link after its form is sent. */
function paid(form: Readonly<Record<string, string>>): Opener {
  return async (page) => {
    const { url } = await hosted.topUp();
    await hosted.client.http
      .post(`${new URL(url).pathname}/pay`)
      .type('form')
      .send(form);
    await page.goto(url);
  };
}

it.each(Object.entries({ ...INSPECTOR, ...HOSTED }))(
  '%s is accessible and fits in every view',
  (_name, open) => expectSoundViews(open),
);

it('a table keeps short words on one line in columns with very long ones', async () => {
  const page = await reusePage();
  await page.goto(`${ui}/events`);

  const lines =
    await page.evaluate(`[...document.querySelectorAll('tbody .words')].flatMap((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return each.textContent === 'llm.completion' ? [range.getClientRects().length] : [];
  })`);

  expect(lines).toEqual(Array.from({ length: 28 }, () => 1));
});

it('no link of the inspector is broken, and links reach every page and section', () => {
  const paths = Object.values(addresses).map((address) => address.slice(ui.length).split('?')[0]);
  const isMet = (path: string) => {
    const pattern = new RegExp(`^${path === '/' ? '' : path.replaceAll(/:\w+/g, '[^/]+')}$`);
    return paths.some((each = '') => pattern.test(each));
  };

  expect(broken).toEqual([]);
  // The search at the top redirects to the page of the result.
  expect(Object.values(PAGE_PATHS).filter((path) => !isMet(path))).toEqual(['/go']);
});

it('the control token opens the page that was requested', async () => {
  const page = await reusePage();
  await page.goto(guardedUi);

  await page.getByLabel('Control API token').fill('swordfish');
  await page.getByRole('button', { name: 'Open' }).click();

  await page.getByRole('heading', { name: 'Customers' }).waitFor();
});
