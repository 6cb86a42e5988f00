import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from './testing/browser.ts';
import { type HostedPages, openHostedPages } from './testing/hosted.ts';

let pages: HostedPages;

beforeAll(async () => {
  pages = await openHostedPages();
});

afterAll(async () => {
  await pages.close();
});

const CARDS = {
  good: '4242 4242 4242 4242',
  confirms: '4000002500003155',
  declined: '4000-0000-0000-0002',
  poor: '4000 0000 0000 9995',
  expired: '4000 0000 0000 0069',
};

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / });

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
}

async function payBy(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await payButton(page).click();
}

describe.each([
  { script: true, browsing: 'with script' },
  { script: false, browsing: 'without script' },
])('the payment page $browsing', ({ script }) => {
  async function open(url: string): Promise<Page> {
    const page = await openPage({ javaScriptEnabled: script });
    await page.goto(url);
    return page;
  }

  it('takes a payment and redirects to return_url, which may redirect further', async () => {
    const { id, url } = await pages.topUp();
    const page = await open(url);

    await payBy(page, CARDS.good);

    await page.waitForURL(pages.shop.thanks);
    expect(await pages.topUpStatus(id)).toBe('succeeded');
  });

  it('declines a card, shows the reason when reopened, and accepts another card', async () => {
    const { id, url } = await pages.topUp();
    const page = await open(url);

    await payBy(page, CARDS.poor);
    await page.waitForURL(pages.shop.failure_url);
    expect(await pages.topUpStatus(id)).toBe('failed');

    await page.goto(url);
    expect(await page.getByRole('alert').textContent()).toContain('insufficient funds');
    await payBy(page, CARDS.good);
    await page.waitForURL(pages.shop.thanks);
    expect(await pages.topUpStatus(id)).toBe('succeeded');
  });

  it('asks for confirmation if the card requires it', async () => {
    const { id, url } = await pages.subscribe();
    const page = await open(url);

    await payBy(page, CARDS.confirms);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    expect((await pages.subscriptionOf(id)).status).toBe('action_required');
    await page.getByRole('button', { name: 'Confirm' }).click();

    await page.waitForURL(pages.shop.thanks);
    expect((await pages.subscriptionOf(id)).status).toBe('active');
  });

  it('pays nothing if the payer cancels the confirmation', async () => {
    const { id, url } = await pages.topUp();
    const page = await open(url);

    await payBy(page, CARDS.confirms);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.waitForURL(pages.shop.failure_url);
    expect(await pages.topUpStatus(id)).toBe('failed');
  });

  it('shows a bank debit as processing until it succeeds', async () => {
    const { id, url } = await pages.topUp();
    const page = await open(url);

    await page.getByLabel('Bank debit').check();
    expect(await page.getByLabel('Card number').isVisible()).toBe(false);
    await payButton(page).click();

    await page.waitForURL(pages.shop.thanks);
    expect(await pages.topUpStatus(id)).toBe('pending');
    await page.goto(url);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment processing');

    await pages.client.api('advanceClock', { body: { by: 'P1D' } });
    expect(await pages.topUpStatus(id)).toBe('succeeded');
    await page.reload();
    await page.waitForURL(pages.shop.thanks);
  });

  it('redirects to failure_url on Cancel and keeps the link valid', async () => {
    const { id, url } = await pages.topUp();
    const page = await open(url);

    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.waitForURL(pages.shop.failure_url);
    expect(await pages.topUpStatus(id)).toBe('initiated');
  });

  it('names each invalid field and keeps the valid ones', async () => {
    const { id, url } = await pages.topUp();
    const page = await open(url);

    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByLabel('Expiry').fill('01 / 26');
    await page.getByLabel('CVC').fill('x');
    await payButton(page).click();

    await page.getByText('Please correct: Card number, CVC. Only test cards').waitFor();
    expect(await page.getByLabel('CVC').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Expiry').inputValue()).toBe('01 / 26');
    expect(await page.locator(':focus').getAttribute('name')).toBe('number');
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    expect(await pages.topUpStatus(id)).toBe('initiated');
  });

  it('fills in a test card on a click and replaces what was typed', async () => {
    const { url } = await pages.topUp();
    const page = await open(url);

    await page.getByLabel('Card number').fill('1');
    await page.getByLabel('Bank debit').check();
    await page.getByRole('button', { name: '4000 0025 0000 3155' }).click();

    await expect.poll(() => page.getByLabel('CVC').inputValue()).toBe('123');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0025 0000 3155');
    expect(await page.getByLabel('Expiry').inputValue()).toBe('12 / 99');
    expect(await page.locator(':focus').textContent()).toBe('Pay $20.00');
    await payButton(page).click();
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
  });

  it('pays once on a double click', async () => {
    const { url } = await pages.topUp({ destination: { account_name: `clicks-${script}` } });
    const page = await open(url);

    await fillCard(page, CARDS.good);
    await payButton(page).dblclick({ noWaitAfter: true });

    // The second click ends at the same page as the first one. It must not make the wait fail.
    await expect.poll(() => page.url()).toBe(pages.shop.thanks);
    expect(await balanceOf(`clicks-${script}:USD`)).toBe(20);
  });
});

async function balanceOf(accountId: string): Promise<number> {
  const path = { customerId: pages.customerId, accountId };
  return (await pages.client.api('getWalletAccount', { path })).available;
}
