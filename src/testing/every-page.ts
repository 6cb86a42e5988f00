import type { Page } from 'playwright-core';
import { errorPage, renderPage } from '../pages/answer.tsx';
import { createTestClient } from './client.ts';
import { crawl } from './crawl.ts';
import { type HostedPages, openHostedPages } from './hosted.ts';
import { HOSTILE_TEXTS, type RecordPages, seedBusyWorld, seedHostileWorld } from './inspected.ts';

/** Opens a page in a browser. */
export type Opener = (page: Page) => Promise<unknown>;

/** Openers by the name of the page. */
export type Openers = Readonly<Record<string, Opener>>;

export const at =
  (address: string): Opener =>
  (page) =>
    page.goto(address);

/** For tests and screenshots: every page, in worlds with all kinds of records and with text that is hard to show. */
export async function openEveryPage() {
  const client = createTestClient({ port: 0 });
  const guarded = createTestClient({ port: 0, admin_token: 'swordfish' });
  const origin = await client.emulator.listen();
  const ui = `${origin}/_emulator/ui`;
  const guardedUi = `${await guarded.emulator.listen()}/_emulator/ui/customers`;
  const save = (name: string) => client.api('saveSnapshot', { body: { name } }, 201);
  await save('empty');
  const busy = await seedBusyWorld(client, `${origin}/_emulator/inbox/shop`);
  await save('busy');
  const hostile = await seedHostileWorld(client);
  await client.api('flushDeliveries');
  await save('furnished');
  const { addresses, broken } = await crawl(ui);
  const hosted = await openHostedPages({ external_id: 'hosted' });
  const pages: Openers = {
    ...linkedPages(addresses),
    ...recordPages(ui, 'busy', busy),
    ...recordPages(ui, 'hostile', hostile),
    ...inspectorPages(ui),
    'menu of a customer': opening(ui, 'More', busy.customer),
    'token needed': at(guardedUi),
    ...frontPages(origin),
    ...(await customerPages(hosted)),
    ...errorPages(hosted),
  };
  return {
    pages,
    ui,
    guardedUi,
    addresses,
    broken,
    async close(): Promise<void> {
      await client.emulator.close();
      await guarded.emulator.close();
      await hosted.close();
    },
  };
}

/** The longest page of each kind that a crawl found. */
export const linkedPages = (addresses: Readonly<Record<string, string>>): Openers =>
  Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, at(address)]));

function recordPages(ui: string, what: string, pages: RecordPages): Openers {
  const named = Object.entries(pages).map(([kind, path]) => [`${what} ${kind}`, at(ui + path)]);
  return Object.fromEntries(named);
}

/** States of inspector pages that only an address or an action opens. */
const inspectorPages = (ui: string): Openers => ({
  'empty live world': at(`${ui}?key=key_live_empty`),
  'empty list': at(`${ui}/customers?key=key_test_empty`),
  'comparison of hostile text': at(`${ui}/time/compare?from=empty&to=furnished`),
  'comparison of the same': at(`${ui}/time/compare?from=furnished&to=furnished`),
  'comparison with nothing': at(`${ui}/time/compare?from=nowhere`),
  'wrong key': at(`${ui}?key=wrong`),
  'id that is not there': at(`${ui}/go?id=cust_none`),
  'search that knows no field': at(`${ui}/ledger?q=colour:red+amount:>0+-refund`),
  'page not found': at(`${ui}/nothing`),
  'menu of worlds': opening(ui, 'World'),
  'menu of the clock': opening(ui, 'Clock'),
  'form for usage': at(`${ui}/send?operation=submitEvents`),
  'form for a product': at(`${ui}/send?operation=createProduct`),
  'menu that makes it fail': opening(ui, 'Make it fail', '/requests'),
  'preview of a month': async (page) => {
    await page.goto(`${ui}/time`);
    await page.getByLabel('Only preview').check();
    await page.getByRole('button', { name: 'One month' }).last().click();
    await page.getByRole('heading', { name: 'What will happen' }).waitFor();
  },
});

const opening =
  (ui: string, name: string, path = '/products'): Opener =>
  async (page) => {
    await page.goto(ui + path);
    await page.locator('.menu > summary').filter({ hasText: name }).click();
  };

const frontPages = (origin: string): Openers => ({
  'front page': at(`${origin}/`),
  'reference of the service': at(`${origin}/_emulator/docs`),
  'reference of control': at(`${origin}/_emulator/docs/control`),
  'operation of the reference': at(`${origin}/_emulator/docs/operations/createProduct`),
  assumptions: at(`${origin}/_emulator/docs/assumptions`),
});

/** The pages that customers see. */
async function customerPages(hosted: HostedPages): Promise<Openers> {
  const { markup, rightToLeft, emoji, longName } = HOSTILE_TEXTS;
  const customerOf = ({ customer }: RecordPages) => customer.slice('/customers/'.length);
  const busy = customerOf(await seedBusyWorld(hosted.client, 'http://127.0.0.1:9/hook'));
  const hostile = customerOf(await seedHostileWorld(hosted.client));
  const description = `${markup} ${rightToLeft} ${emoji} ${longName}`;
  const checkout = async (page: Page, order: object = {}) =>
    page.goto((await hosted.topUp(order)).url);
  return {
    checkout: (page) => checkout(page, { description: '5,000 credits' }),
    'checkout of a subscription': async (page) => page.goto((await hosted.subscribe()).url),
    'checkout to correct': async (page) => {
      await checkout(page);
      await page.getByTestId('pay').click();
    },
    'checkout after a rejection': paid(hosted, REJECTED_CARD),
    'checkout by bank debit': async (page) => {
      await checkout(page);
      await page.getByTestId('method-bank-debit').check();
    },
    'checkout of hostile text': (page) => checkout(page, { customer_id: hostile, description }),
    confirmation: async (page) => {
      await checkout(page);
      await page.getByLabel('Card number').fill('4000002500003155');
      await page.getByLabel('Expiry').fill('12/34');
      await page.getByLabel('CVC').fill('123');
      await page.getByTestId('pay').click();
      await page.getByTestId('confirm').waitFor();
    },
    processing: paid(hosted, { method: 'bank_debit' }),
    'empty portal': async (page) => {
      const { id } = await hosted.client.api('createCustomer', { body: { name: 'Initech' } }, 201);
      await page.goto(await hosted.portal(id));
    },
    portal: async (page) => page.goto(await hosted.portal(busy)),
    'portal of hostile text': async (page) => page.goto(await hosted.portal(hostile)),
  };
}

const REJECTED_CARD = { number: '4000000000000069', expiry: '12/34', cvc: '123' };

/** Opens the page of a link after its form is sent. */
const paid =
  ({ topUp, client }: HostedPages, form: Readonly<Record<string, string>>): Opener =>
  async (page) => {
    const { url } = await topUp();
    await client.http
      .post(`${new URL(url).pathname}/pay`)
      .type('form')
      .send(form);
    await page.goto(url);
  };

function errorPages({ at: hostedAt }: HostedPages): Openers {
  const missing = hostedAt('http://any/hosted/checkout/none');
  return {
    'link not found': at(missing),
    'request not understood': at(hostedAt('http://any/hosted/checkout/%')),
    'something went wrong': async (page) => {
      await page.goto(missing);
      const answer = errorPage('broken', { ui: 'on' });
      await page.setContent('page' in answer ? renderPage(answer.page) : '');
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    },
  };
}
