import { expect, it } from 'vitest';
import {
  aCatalogProduct,
  fixedPrice,
  nextUuid,
  URLS,
  usd,
  withCredit,
} from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { POPULATED_KEY as key, openPopulatedWorld, readPortal } from '../../testing/hosted.ts';

const customerOf = async (client: TestClient): Promise<string> =>
  (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;

/** Subscribes to products of 49 and 5.5 USD a month. Returns the payment page. */
async function aBasket(client: TestClient): Promise<string> {
  await aCatalogProduct(client, 'team', { name: 'Team plan', prices: [fixedPrice(49)] });
  await aCatalogProduct(client, 'extra', { name: 'Extra seats', prices: [fixedPrice(5.5)] });
  const products = [{ code: 'team' }, { code: 'extra' }];
  const parts = { path: { customerId: await customerOf(client) }, body: { products, ...URLS } };
  const { required_actions } = await client.api('createSubscription', parts, 201);
  return new URL(required_actions[0].redirect_url).pathname;
}

const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, '');

it('the payment page says what each product costs, and the sum', async () => {
  const client = createTestClient();

  const { text } = await client.http.get(await aBasket(client));

  const amounts = [...text.matchAll(/<data[^>]* value="([^"]*)"/g)].map(([, value]) => value);
  expect(amounts).toEqual(['49', '5.5', '54.5']);
});

it('the payment page says what credit costs, how long it is valid, and the balance it leads to', async () => {
  const client = await withCredit({ rates: [usd(0.05)] });
  const customer_id = await customerOf(client);
  const order = { customer_id, amount: 20, currency: 'USD', destination: { asset: 'CREDIT' } };
  const { redirect_url } = await client.api('createTopUp', { body: { ...order, ...URLS } }, 201);
  const path = new URL(redirect_url).pathname;

  const words = wordsOf((await client.http.get(path)).text);
  const card = { number: '4242424242424242', expiry: '02/27', cvc: '123' };
  await client.http.post(`${path}/pay`).type('form').send(card);

  expect(words).toMatch(/Credit of 400 \w+\$0.05 each, valid until 15 Jan 2027\$20.00Total/);
  expect(words).toMatch(/Your balance will then be 400 \w+\./);
  const wallet = { customerId: customer_id, accountId: 'default:CREDIT' };
  expect((await client.api('getWalletAccount', { path: wallet }, 200)).available).toBe(400);
});

it('the portal says what a top-up buys, as the API quotes it', async () => {
  const client = await withCredit({ precision: 2, rates: [usd(0.03)] });
  const customer_id = await customerOf(client);
  const order = { customer_id, amount: 20, currency: 'USD', destination: { asset: 'CREDIT' } };
  await client.api('createTopUp', { body: { ...order, ...URLS } }, 201);

  const words = wordsOf(await readPortal(client, customer_id, 'key_test_emulator'));

  const quote = { path: { assetCode: 'CREDIT' }, body: { source: 'USD', amount: 100 } };
  expect((await client.api('quoteAsset', quote, 200)).destination_amount).toBe(3333.33);
  expect(words).toContain('Amount to pay in USD');
  expect(words).toMatch(/\$100\.00 buys 3,333\.33 \w+, at \$0\.03 each\./);
});

it('the portal shows the spend of this month and of the last one', async () => {
  const client = createTestClient();
  const customerId = await customerOf(client);
  const body = { transaction_id: nextUuid(), asset: 'USD', amount: 4.5 };
  await client.api('chargeWallet', { path: { customerId }, body }, 201);
  await client.control('advanceClock', { body: { by: 'P1M' } }, 200);
  const session = { customer_id: customerId, ...URLS };
  const { redirect_url } = await client.api('createPortalSession', { body: session }, 200);
  const { headers } = await client.http.get(new URL(redirect_url).pathname);
  const visit = String(headers['location']);

  const [now, last] = [
    await client.http.get(visit),
    await client.http.get(`${visit}?spend=last-month`),
  ];

  expect(wordsOf(now.text)).toContain('Spend in February 2026January 2026No spend in this month.');
  expect(now.text).toContain(`href="${visit}?spend=last-month#spend"`);
  expect(wordsOf(last.text)).toContain('Spend in January 2026February 2026$4.50');
  expect(wordsOf(last.text)).toContain('15 Jan 2026$4.50$0.00$4.50');
});

it('the portal adds what is spent after a view to the sums of the view before', async () => {
  const client = createTestClient();
  const customer_id = await customerOf(client);
  const parts = { body: { customer_id, ...URLS } };
  const { redirect_url } = await client.api('createPortalSession', parts, 200);
  const { headers } = await client.http.get(new URL(redirect_url).pathname);
  const totals: unknown[] = [];
  for (const amount of [4.5, 2, 1]) {
    const { text } = await client.http.get(String(headers['location']));
    totals.push(/data-testid="month-total">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, ''));
    const body = { transaction_id: nextUuid(), asset: 'USD', amount };
    await client.api('chargeWallet', { path: { customerId: customer_id }, body }, 201);
  }

  expect(totals).toEqual([undefined, '$4.50', '$6.50']);
});

it('the portal of each customer shows the plans and the plan fees that the API returns', async () => {
  const { client, customers } = await openPopulatedWorld();
  const { items } = await client.api('listProducts', { key }, 200);
  const products = new Map<string, AnyBody>();
  for (const { id } of items)
    products.set(id, await client.api('getProduct', { key, path: { productId: id } }, 200));
  const seen: { readonly plans: readonly AnyBody[]; readonly fees: number }[] = [];
  for (const { id } of customers) {
    const parts = { key, path: { customerId: id } };
    const { subscriptions } = await client.api('getCustomer', parts, 200);
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
