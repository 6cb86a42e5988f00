import { expect, it } from 'vitest';
import { EVERY_DAY, EVERY_MONTH, entitlement, fixedPrice, ONE_MONTH } from '../testing/catalog.ts';
import { aStory } from '../testing/story.ts';
import { anEvent, nextUuid, usagePrice } from '../testing/usage.ts';

/** Worked examples of credit over time, over HTTP. */
const imagesAt = (credits: number) =>
  usagePrice({
    name: 'Images',
    event_type: 'image.generated',
    ...{ asset: 'CREDIT', values: [{ unit_price: credits }] },
  });

it('a daily allowance is replaced, not added', async () => {
  const acme = await aStory('2026-03-10T08:00:00Z');
  const entitlements = [entitlement(50, EVERY_DAY)];
  await acme.product('images', { prices: [imagesAt(5)], entitlements });
  await acme.subscribeTo('images');
  await acme.use('image.generated', 3);

  // 50 - 3 × 5.
  expect(await acme.balance()).toBe(35);
  await acme.advance('P1D');
  expect(await acme.balance()).toBe(50);
});

it('a promotion that is given once ends after a month', async () => {
  const acme = await aStory('2026-01-31T10:00:00Z');
  await acme.product('welcome', { entitlements: [entitlement(500, ONE_MONTH)] });
  await acme.subscribeTo('welcome');
  for (const [moment, balance] of [
    ['2026-02-28T09:59:59.999Z', 500],
    ['2026-02-28T10:00:00.000Z', 0],
    ['2026-03-31T10:00:00.000Z', 0],
  ] as const) {
    await acme.advance(moment);
    expect(await acme.balance(), moment).toBe(balance);
  }
});

it('a product of 20 USD a month includes 1,000 credits, each month anew', async () => {
  const acme = await aStory('2026-03-10T08:00:00Z');
  const bundled = entitlement(1000, { purpose: 'bundled', ...EVERY_MONTH });
  await acme.product('plan', { prices: [fixedPrice(20), imagesAt(10)], entitlements: [bundled] });
  await acme.settle((await acme.subscribeTo('plan')).id);
  await acme.use('image.generated', 100);
  expect(await acme.balance()).toBe(0);
  await acme.use('image.generated');
  expect(await acme.balance()).toBe(-10);
  await acme.advance('P1M');
  expect(await acme.balance()).toBe(990);
});

it.each([
  [460.5, 294.72, 0.36],
  [245.35, 176.65, 0.28000815162],
  [384.85, 513.14, -0.3333506561],
])(
  'revenue of %s and costs of %s have a margin of %s, with 12 digits',
  async (gross, cost, margin) => {
    const now = '2026-03-10T08:00:00Z';
    const acme = await aStory(now);
    const { id: vendor_id } = await acme.api('createVendor', { body: { name: 'Cloud' } }, 201);
    await acme.product('calls', { prices: [usagePrice({ values: [{ unit_price: gross }] })] });
    await acme.subscribeTo('calls');
    const costs = [{ id: nextUuid(), vendor_id, amount: cost }];
    const events = [anEvent({ occurred_at: now, costs })];
    const { customerId } = acme;
    await acme.api('submitEvents', { body: { customer_id: customerId, events } }, 204);

    const stats = await acme.api('getCustomerStats', { path: { customerId } }, 200);
    expect(stats).toMatchObject({ gross_revenue: gross, total_costs: cost, margin });
  },
);
