import { afterAll, expect, it } from 'vitest';
import { reusePage } from '../../../testing/browser.ts';
import { createTestClient } from '../../../testing/client.ts';
import { nextUuid } from '../../../testing/usage.ts';

const client = createTestClient({ port: 0, clock_now: '2026-01-15T12:34:56.789Z' });
const ui = `${await client.emulator.listen()}/_emulator/ui`;
const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
const body = { transaction_id: nextUuid(), asset: 'USD', amount: 5, reason: 'external_topup' };
await client.api('adjustWallet', { path: { customerId: id }, body }, 201);

afterAll(() => client.emulator.close());

/** The texts of the first entry, after its date: the distances between them, and the greatest height. */
const LAYOUT = `(() => {
  const texts = [...document.querySelectorAll('.entry:first-child > *')].slice(1).map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  }).filter(({ width }) => width > 0);
  return {
    gaps: texts.slice(1).map(({ left }, place) => left - texts[place].right),
    height: Math.max(...texts.map(({ height }) => height)),
  };
})()`;

it.each([
  [1440, 3],
  [1024, 3],
  [390, 2],
])('the texts of a timeline entry fit in one line at %s pixels', async (width, count) => {
  const page = await reusePage();
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${ui}/customers/${id}?kind=credit`);

  const { gaps, height } = await page.evaluate<{ gaps: number[]; height: number }>(LAYOUT);

  expect([gaps.length, gaps.every((gap) => gap >= 8), height < 24]).toEqual([count, true, true]);
});
