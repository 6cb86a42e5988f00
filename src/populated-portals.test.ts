import { beforeAll, expect, it } from 'vitest';
import { add, type Decimal, decimal, format, ZERO } from './domain/decimal.ts';
import type { AnyBody, TestClient } from './testing/client.ts';
import { POPULATED_KEY as key, openPopulatedWorld, readPortal } from './testing/hosted.ts';

/** Compares the portals of a populated world with the responses of the API. */
let client: TestClient;
let customers: readonly AnyBody[];

beforeAll(async () => {
  ({ client, customers } = await openPopulatedWorld());
});

const walletOf = async (customerId: string): Promise<readonly AnyBody[]> =>
  (await client.api('getWallet', { key, path: { customerId } })).accounts;

it('the portal of each customer shows the balances and the sum of fees that the API returns', async () => {
  for (const { id: customer_id } of customers) {
    const text = await readPortal(client, customer_id);

    const shown = [...text.matchAll(/data-testid="balance"[^>]*><data[^>]* value="([^"]*)"/g)];
    const balances = (await walletOf(customer_id)).map(({ available }) => available);
    expect(shown.map(([, value]) => Number(value))).toEqual(balances);

    const query = { customer_id, period_from: '2026-01-01', limit: 1_000 };
    const { items } = await client.api('listEvents', { key, query });
    const sums: Record<string, Decimal> = {};
    for (const { has_fees, fee_currency: asset, total_fees } of items)
      if (has_fees) sums[asset] = add(sums[asset] ?? ZERO, decimal(String(total_fees)));

    const parts = text.matchAll(
      /data-testid="spend-([A-Z]+)".*?class="mark one">usage <data[^>]* value="([^"]*)"/gs,
    );

    const spends = [...parts].map(([, asset, value]) => [asset, value]);
    const summed = Object.entries(sums).map(([asset, sum]) => [asset, format(sum)]);
    // A month with fixed fees only has no usage.
    expect(Object.fromEntries(spends.filter(([, value]) => value !== '0'))).toEqual(
      Object.fromEntries(summed),
    );
  }
});

it('the portal of each customer shows the plans and the plan fees that the API returns', async () => {
  const { items } = await client.api('listProducts', { key });
  const products = new Map<string, AnyBody>();
  for (const { id } of items)
    products.set(id, await client.api('getProduct', { key, path: { productId: id } }));
  const seen: { readonly plans: readonly AnyBody[]; readonly fees: number }[] = [];
  for (const { id } of customers) {
    const parts = { key, path: { customerId: id } };
    const { subscriptions } = await client.api('getCustomer', parts);
    const held = subscriptions.filter(({ status }: AnyBody) => status !== 'inactive');
    const ofMonth = subscriptions.filter((each: AnyBody) => each.started_at >= '2026-01-01');
    const text = await readPortal(client, id);
    const [, fees = '0'] = /class="mark two">plan fees <data[^>]* value="([^"]*)"/.exec(text) ?? [];

    const shown = { plans: plansIn(text), fees: Number(fees) };

    expect(shown).toEqual({
      plans: held.map((each: AnyBody) => planOf(each, products)),
      // Nothing renews before 16 January.
      fees: sumOf(ofMonth.map((each: AnyBody) => priceOf(each, products))),
    });
    seen.push(shown);
  }

  const plans = seen.flatMap((each) => each.plans);
  expect(plans).toHaveLength(17);
  expect(plans.filter(({ renewal }) => renewal === 'once paid')).toHaveLength(2);
  expect(seen.filter(({ fees }) => fees > 0)).toHaveLength(2);
});

/** Returns the plan in the API's response for a subscription of one product, renewed and credited monthly. */
function planOf(subscription: AnyBody, products: ReadonlyMap<string, AnyBody>) {
  const [{ id }] = subscription.products;
  const product = products.get(id) as AnyBody;
  return {
    names: [product.name],
    credits: product.default_version.entitlements.map(
      ({ amount, asset }: AnyBody) => `includes ${amount} ${asset} each month`,
    ),
    renewal: subscription.renews_at ?? 'once paid',
    price: priceOf(subscription, products),
    cycle: 'each month',
  };
}

function priceOf({ products: held }: AnyBody, products: ReadonlyMap<string, AnyBody>): number {
  const { prices } = products.get(held[0].id)?.default_version ?? { prices: [] };
  const fixed = prices.filter(({ type }: AnyBody) => type === 'fixed');
  return sumOf(fixed.map(({ pricing }: AnyBody) => pricing[0].values[0].unit_price));
}

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** Returns the rows of the plan on a portal page. */
function plansIn(html: string) {
  return html
    .split('data-testid="plan-row"')
    .slice(1)
    .map((rest) => {
      const [row = ''] = rest.split('</tr>');
      const all = (pattern: RegExp) => [...row.matchAll(pattern)].map(([, text = '']) => text);
      const [renewal] = all(/<time[^>]* datetime="([^"]*)"/g);
      return {
        names: all(/<bdi class="words">([^<]*)/g),
        credits: all(/<div class="muted">([^<]*)/g),
        renewal: renewal ?? all(/>(once paid|never)</g)[0],
        price: Number(all(/<data[^>]* value="([^"]*)"/g)[0]),
        cycle: all(/<span class="muted">([^<]*)<\/span><\/td>$/g)[0],
      };
    });
}
