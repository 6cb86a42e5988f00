import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../../testing/browser.ts';
import { type HostedPages, openHostedPages } from '../../testing/hosted.ts';

let pages: HostedPages;

const GOOD = '4242 4242 4242 4242';
const DECLINES_LATER = '4000 0000 0000 0341';

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
}

describe.each([
  { script: true, browsing: 'with script' },
  { script: false, browsing: 'without script' },
])('the portal $browsing', ({ script }) => {
  async function enter(): Promise<Page> {
    const page = await openPage({ javaScriptEnabled: script });
    await page.goto(await pages.portal());
    return page;
  }

  beforeAll(async () => {
    pages = await openHostedPages();
  });

  afterAll(() => pages.close());

  it('tops up and returns with the new balance', async () => {
    const page = await enter();
    expect(await page.getByTestId('top-ups').textContent()).toContain('No payments yet.');

    await page.getByLabel('Amount to pay').fill('12.50');
    await page.getByRole('button', { name: 'Top up' }).click();
    await fillCard(page, GOOD);
    await page.getByRole('button', { name: 'Pay $12.50' }).click();

    await page.getByText('The payment succeeded.').waitFor();
    expect(await balance(page)).toBe('$12.50');
    expect(await page.getByTestId('top-up-row').textContent()).toContain('paid');
    expect(await page.getByTestId('saved-card').textContent()).toContain('4242');
  });

  it('tops up automatically once the balance falls below the threshold', async () => {
    const page = await enter();
    const form = page.getByRole('form', { name: 'Automatic top-up of USD' });
    await page.getByText('Automatic top-up: off').click();
    await form.getByLabel('Top up automatically').check();
    await form.getByLabel('Threshold in USD').fill('10');
    await form.getByLabel('Pay each time').fill('30');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The automatic top-up is on.').waitFor();
    expect(await balance(page)).toBe('$12.50');

    await pages.charge('USD', 5);

    await page.reload();
    expect(await balance(page)).toBe('$37.50');
    expect(await page.getByTestId('grant').count()).toBe(2);
    expect(await page.getByTestId('top-up-row').first().textContent()).toContain(
      'Automatic top-up',
    );
  });

  it('reports a declined automatic top-up and tops up again with another card', async () => {
    const page = await enter();
    await saveCard(page, DECLINES_LATER);

    await pages.charge('USD', 30);
    await page.reload();
    expect(await balance(page)).toBe('$7.50');
    await page.getByText('The latest automatic top-up was not paid: declined.').waitFor();

    await saveCard(page, GOOD);
    expect(await balance(page)).toBe('$37.50');
  });

  it('shows an unpaid subscription and takes the payment', async () => {
    const { id } = await pages.subscribe();
    const page = await enter();

    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await fillCard(page, GOOD);
    await page.getByRole('button', { name: 'Pay $49.00' }).click();

    await page.waitForURL(pages.shop.thanks);
    expect((await pages.subscriptionOf(id)).status).toBe('active');
    await page.goto(await pages.portal());
    expect(await page.getByTestId('outstanding').count()).toBe(0);
    expect(await page.getByTestId('month-total').textContent()).toBe('$84.00');
    expect(await page.getByTestId('spend-row').allTextContents()).toEqual([
      '15 Jan 2026$35.00$49.00$84.00',
      'Total$35.00$49.00$84.00',
    ]);
    expect(await page.getByTestId('plan-row').first().textContent()).toContain('$49.00 each month');
    expect(await page.getByTestId('fee-row').textContent()).toBe(
      '15 Jan 2026Team planCard 4242paid$49.00',
    );
  });
});

async function saveCard(page: Page, number: string): Promise<void> {
  await page.getByText('Replace the card').click();
  await fillCard(page, number);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByText('The card is saved.').waitFor();
}

function balance(page: Page): Promise<string | null> {
  return page.getByTestId('account-default:USD').getByTestId('balance').textContent();
}
