import type { Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { type HostedPages, openHostedPages } from '../testing/hosted.ts';
import { openBusyPortal, openEmptyPortal, openHostilePortal } from '../testing/portals.ts';
import { expectSoundViews } from '../testing/views.ts';
import { errorPage } from './error-pages.tsx';
import { renderPage } from './render.ts';

/** Every page that links of the service lead to, as people see it. */
let pages: HostedPages;
let busy: string;
let hostile: string;
let hostileCheckout: string;

beforeAll(async () => {
  pages = await openHostedPages();
  busy = await openBusyPortal(pages);
  ({ portal: hostile, checkout: hostileCheckout } = await openHostilePortal(pages));
});

afterAll(async () => {
  await pages.close();
});

const PAGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  checkout: async (page) => page.goto((await pages.topUp({ description: '5,000 credits' })).url),
  'checkout of a subscription': async (page) => page.goto((await pages.subscribe()).url),
  'checkout to correct': async (page) => {
    await page.goto((await pages.topUp()).url);
    await page.getByTestId('pay').click();
  },
  'checkout after a refusal': async (page) => {
    const { url } = await pages.topUp();
    await pages.client.http
      .post(`${new URL(url).pathname}/pay`)
      .type('form')
      .send({ number: '4000000000000069', expiry: '12/34', cvc: '123' });
    await page.goto(url);
  },
  'checkout by bank debit': async (page) => {
    await page.goto((await pages.topUp()).url);
    await page.getByTestId('method-bank-debit').check();
  },
  'checkout of hostile text': (page) => page.goto(hostileCheckout),
  confirmation: async (page) => {
    await page.goto((await pages.topUp()).url);
    await page.getByLabel('Card number').fill('4000002500003155');
    await page.getByLabel('Expiry').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByTestId('pay').click();
    await page.getByTestId('confirm').waitFor();
  },
  processing: async (page) => {
    const { url } = await pages.topUp();
    await pages.client.http
      .post(`${new URL(url).pathname}/pay`)
      .type('form')
      .send({ method: 'bank_debit' });
    await page.goto(url);
  },
  'page not found': (page) => page.goto(new URL('/hosted/checkout/none', busy).href),
  'request not understood': (page) => page.goto(new URL('/hosted/checkout/%', busy).href),
  'something went wrong': async (page) => {
    await page.goto(new URL('/hosted/checkout/none', busy).href);
    const answer = errorPage('broken');
    await page.setContent('page' in answer ? renderPage(answer.page) : '');
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  },
  'empty portal': async (page) => page.goto(await openEmptyPortal(pages)),
  portal: (page) => page.goto(busy),
  'portal of hostile text': (page) => page.goto(hostile),
};

it.each(Object.entries(PAGES))(
  '%s is accessible and fits, whatever it is seen on',
  async (_name, open) => expectSoundViews(open),
);
