import { expect, it } from 'vitest';
import {
  aCatalogProduct,
  fixedPrice,
  nextUuid,
  URLS,
  usd,
  withCredit,
} from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { readPortal } from '../../testing/hosted.ts';

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
  expect((await client.api('getWalletAccount', { path: wallet })).available).toBe(400);
});

it('the portal shows the spend of this month', async () => {
  const client = createTestClient();
  const customer_id = await customerOf(client);
  const charge = async (amount: number) => {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount };
    await client.api('chargeWallet', { path: { customerId: customer_id }, body }, 201);
  };
  const read = async () => wordsOf(await readPortal(client, customer_id, 'key_test_emulator'));

  await charge(4.5);
  await client.api('advanceClock', { body: { by: 'P1M' } });
  expect(await read()).toContain('Spend in February 2026No spend in this month.');

  await charge(2);
  const words = await read();
  expect(words).toContain('Spend in February 2026$2.00');
  expect(words).toContain('15 Feb 2026$2.00$0.00$2.00');
});

it('the portal adds what is spent after a view to the sums of the view before', async () => {
  const client = createTestClient();
  const customer_id = await customerOf(client);
  const parts = { body: { customer_id, ...URLS } };
  const { redirect_url } = await client.api('createPortalSession', parts);
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
