import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EVERY_DAY, EVERY_MONTH, entitlement, fixedPrice, ONE_MONTH } from '../testing/catalog.ts';
import type { AnyBody } from '../testing/client.ts';
import { aStory, type Story } from '../testing/story.ts';

/** Worked examples of credit over time. Each runs over HTTP, and its expected numbers come from the file. */
const file = new URL('testdata/credit-cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as AnyBody[];
const told = new Set<string>();

function story(name: string, tell: (expected: AnyBody) => Promise<void>): void {
  const found = cases.find((each) => each.name === name);
  told.add(name);
  it(name, () => tell(found));
}

function imagesAt(credits: number) {
  return {
    name: 'Images',
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: { event_type: 'image.generated', usage_type: 'unit' },
    pricing: [{ asset: 'CREDIT', values: [{ unit_price: credits }] }],
  };
}

const remaining = async (each: Story) =>
  Object.fromEntries(
    (await each.grants()).map(({ purpose, amount, remaining: left }) => [
      `${purpose} ${amount}`,
      left,
    ]),
  );

story('daily allowance is replaced, not added', async ({ balances }) => {
  const acme = await aStory('2026-03-10T08:00:00Z');
  const entitlements = [entitlement(50, EVERY_DAY)];
  await acme.product('images', { prices: [imagesAt(5)], entitlements });
  await acme.subscribeTo('images');
  await acme.use('image.generated', 3);

  expect(await acme.balance()).toBe(balances['after three images']);
  await acme.advance('P1D');
  expect(await acme.balance()).toBe(balances['next day']);
});

story('one-off promotion expires', async ({ balances }) => {
  const acme = await aStory('2026-01-31T10:00:00Z');
  await acme.product('welcome', { entitlements: [entitlement(500, ONE_MONTH)] });
  await acme.subscribeTo('welcome');

  const seen: Record<string, number> = {};
  for (const moment of Object.keys(balances)) {
    await acme.advance(moment);
    seen[moment] = await acme.balance();
  }
  expect(seen).toEqual(balances);
});

story('month ends keep their anchor', async ({ renewals }) => {
  const acme = await aStory('2026-01-31T10:00:00Z');
  await acme.product('plan', { prices: [fixedPrice(20)] });
  await acme.settle((await acme.subscribeTo('plan')).id);
  const { items } = await acme.advance('2026-05-01T00:00:00Z');

  expect(items.map(({ at }: AnyBody) => at.replace('.000Z', 'Z'))).toEqual(renewals);
});

story('promotion, then bundled, then paid', async ({ remaining: expected }) => {
  const acme = await aStory('2026-01-31T10:00:00Z');
  const bundled = entitlement(100, { purpose: 'bundled', ...ONE_MONTH });
  await acme.product('images', { prices: [imagesAt(90)], entitlements: [bundled] });
  await acme.credit('CREDIT', 500, { expires_at: '2027-01-31T10:00:00Z' });
  await acme.subscribeTo('images');
  await acme.credit('CREDIT', 40, { reason: 'gift', expires_at: '2026-03-31T10:00:00Z' });
  await acme.credit('CREDIT', 30, { reason: 'gift', expires_at: '2026-02-10T10:00:00Z' });
  await acme.use('image.generated');

  expect(await remaining(acme)).toEqual(expected);
});

story('credit repays debt first', async ({ balances, grant }) => {
  const acme = await aStory('2026-03-10T08:00:00Z');
  await acme.product('images', { prices: [imagesAt(10)] });
  await acme.subscribeTo('images');
  await acme.use('image.generated');
  await acme.credit('CREDIT', 25);

  expect(await acme.balance()).toBe(balances.after);
  expect(await acme.grants()).toMatchObject([grant]);
});

story('product with included credits', async ({ balances }) => {
  const acme = await aStory('2026-03-10T08:00:00Z');
  const bundled = entitlement(1000, { purpose: 'bundled', ...EVERY_MONTH });
  await acme.product('plan', { prices: [fixedPrice(20), imagesAt(10)], entitlements: [bundled] });
  await acme.settle((await acme.subscribeTo('plan')).id);
  await acme.use('image.generated', 100);
  expect(await acme.balance()).toBe(balances['after 100 images']);
  await acme.use('image.generated');
  expect(await acme.balance()).toBe(balances['after 101 images']);
  await acme.advance('P1M');
  expect(await acme.balance()).toBe(balances['after the renewal']);
});

story('quotes', async ({ quotes }) => {
  const { client, key } = await aStory('2026-03-10T08:00:00Z');
  const asset = { code: 'COIN', name: 'Coins', precision: 0 };
  const rates = [{ source: 'USD', rate: 0.05 }];
  await client.api('createAsset', { key, body: { ...asset, rates } }, 201);

  for (const [amount, credits] of quotes) {
    const parts = { key, path: { assetCode: 'COIN' }, body: { source: 'USD', amount } };
    const { destination_amount } = await client.api('quoteAsset', parts, 200);
    expect([amount, destination_amount]).toEqual([amount, credits]);
  }
});

story('margins', async ({ rows }) => {
  for (const [revenue, cost, margin] of rows) {
    const acme = await aStory('2026-03-10T08:00:00Z');
    const { client, key, customerId } = acme;
    await acme.product('calls', { prices: [callsAt(revenue)] });
    await acme.subscribeTo('calls');
    const body = { customer_id: customerId, events: [await aCall(acme, cost)] };
    await client.api('submitEvents', { key, body }, 204);
    const stats = await client.api('getCustomerStats', { key, path: { customerId } }, 200);

    expect(stats).toMatchObject({ gross_revenue: revenue, total_costs: cost, margin });
  }
});

function callsAt(unit_price: number) {
  const usage_calculation = { event_type: 'call', usage_type: 'unit' };
  const pricing = [{ asset: 'USD', values: [{ unit_price }] }];
  return { ...imagesAt(0), usage_calculation, pricing };
}

async function aCall({ client, key }: Story, amount: number) {
  const vendor = await client.api('createVendor', { key, body: { name: 'Cloud' } }, 201);
  return {
    id: '00000000-0000-4000-8000-00000000ca11',
    event_type: 'call',
    occurred_at: '2026-03-10T08:00:00Z',
    costs: [
      {
        id: '00000000-0000-4000-8000-00000000c057',
        vendor_id: vendor.id,
        amount,
        currency: 'USD',
      },
    ],
  };
}

it('every case in credit-cases.json has a test', () => {
  expect([...told].sort()).toEqual(cases.map(({ name }) => name).sort());
});
