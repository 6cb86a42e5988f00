import { describe, expect, it } from 'vitest';
import {
  aCatalogProduct,
  fixedPrice,
  freezeAt,
  URLS,
  usd,
  withCredit,
} from '../../testing/catalog.ts';
import { asNewAccount, createTestClient, type TestClient } from '../../testing/client.ts';

const CARD = { method: 'card', number: '4242424242424242', expiry: '02/27', cvc: '1234' };
const LATER = '2026-01-16T12:00:00.000Z';

async function aCustomer(client: TestClient, name = 'Acme'): Promise<string> {
  return (await client.api('createCustomer', { body: { name } }, 201)).id;
}

/** Starts a top-up and returns its id and the path of its payment page. */
async function aTopUp(client: TestClient, more: object = {}, name = 'Acme') {
  const customer_id = await aCustomer(client, name);
  const body = { customer_id, amount: 20, currency: 'USD', ...URLS, ...more };
  const { id, redirect_url } = await client.api('createTopUp', { body }, 201);
  return { id, customer_id, path: new URL(redirect_url).pathname };
}

async function aSubscription(client: TestClient, more: object = {}) {
  await aCatalogProduct(client, 'team', { name: 'Team plan', prices: [fixedPrice(49)] });
  const customerId = await aCustomer(client);
  const parts = { path: { customerId }, body: { products: [{ code: 'team' }], ...URLS, ...more } };
  const { id, required_actions } = await client.api('createSubscription', parts, 201);
  return { id, customerId, path: new URL(required_actions[0].redirect_url).pathname };
}

const post = (client: TestClient, path: string, form: object = CARD) =>
  client.http.post(path).type('form').send(form);

describe('a payment link', () => {
  it('shows the customer, the description, the amount and the expiry', async () => {
    const client = createTestClient();
    const { path } = await aTopUp(client, { description: '5,000 credits' });

    const { status, text } = await client.http.get(path);

    expect(status).toBe(200);
    for (const part of ['Acme', '5,000 credits', '$20.00', '16 Jan 2026, 12:00 UTC'])
      expect(text).toContain(part);
  });

  it.each([
    { currency: 'JPY', amount: 500, shown: '¥500' },
    { currency: 'EUR', amount: 1234.5, shown: '€1,234.50' },
    { currency: 'BHD', amount: 1.5, shown: 'BHD 1.500' },
    { currency: 'CLF', amount: 1, shown: 'CLF 1.0000' },
  ])('writes $amount $currency as $shown', async ({ currency, amount, shown }) => {
    const client = createTestClient();
    const { path } = await aTopUp(client, { currency, amount });

    const { text } = await client.http.get(path);

    expect(text.replaceAll('\u00a0', ' ')).toContain(`Pay ${shown}`);
  });

  it('that does not exist returns a plain 404 page for GET and POST', async () => {
    const client = createTestClient();
    const { path } = await aTopUp(client);
    const tampered = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;

    for (const unknown of [tampered, '/hosted/checkout/%00', '/hosted/checkout/__proto__']) {
      const { status, text } = await client.http.get(unknown);
      expect(status).toBe(404);
      expect(text).toContain('Page not found');
      expect(text).not.toContain('Error');
    }
    expect((await post(client, `${tampered}/pay`)).status).toBe(404);
  });

  it('redirects to failure_url once it has expired, for GET and POST', async () => {
    const client = createTestClient();
    const { path } = await aTopUp(client);
    await freezeAt(client, LATER);

    const opened = await client.http.get(path);
    const paid = await post(client, `${path}/pay`);

    for (const { status, headers } of [opened, paid])
      expect([status, headers['location']]).toEqual([303, URLS.failure_url]);
  });

  it('redirects to the unchanged return_url once it is paid', async () => {
    const client = createTestClient();
    const return_url = 'https://app.example.com/a%20b?x=1&y=%C3%A9#part';
    const { path } = await aTopUp(client, { return_url });

    const paid = await post(client, `${path}/pay`);
    const again = await client.http.get(path);

    for (const { status, headers } of [paid, again])
      expect([status, headers['location']]).toEqual([303, return_url]);
  });

  it('redirects to failure_url after a decline and stays valid', async () => {
    const client = createTestClient();
    const { path } = await aSubscription(client);

    const refused = await post(client, `${path}/pay`, { ...CARD, number: '4000000000000002' });

    expect(refused.headers['location']).toBe(URLS.failure_url);
    expect((await client.http.get(path)).text).toContain('The card was declined.');
  });

  it('redirects to failure_url once its subscription is inactive', async () => {
    const client = createTestClient();
    const { id, customerId, path } = await aSubscription(client);
    const parts = { path: { customerId, subscriptionId: id }, body: { status: 'inactive' } };
    await client.api('updateSubscription', parts, 204);

    expect((await client.http.get(path)).headers['location']).toBe(URLS.failure_url);
    expect((await post(client, `${path}/pay`)).headers['location']).toBe(URLS.failure_url);
  });

  it('of a connected account can be paid', async () => {
    const client = createTestClient();
    const headers = await asNewAccount(client.api);
    const customer = await client.api('createCustomer', { headers, body: { name: 'Own' } }, 201);
    const body = { customer_id: customer.id, amount: 5, currency: 'USD', ...URLS };
    const topUp = await client.api('createTopUp', { headers, body }, 201);

    await post(client, `${new URL(topUp.redirect_url).pathname}/pay`);

    const parts = { headers, path: { topUpId: topUp.id } };
    expect((await client.api('getTopUp', parts)).status).toBe('succeeded');
  });
});

describe('a payment form', () => {
  it.each([
    { about: 'from another site', headers: { 'Sec-Fetch-Site': 'cross-site' } },
    { about: 'from another origin', headers: { Origin: 'https://evil.example' } },
  ])('is rejected with 403 $about', async ({ headers }) => {
    const client = createTestClient();
    const { id, path } = await aTopUp(client);

    const { status } = await post(client, `${path}/pay`).set(headers as Record<string, string>);

    expect(status).toBe(403);
    const parts = { path: { topUpId: id } };
    expect((await client.api('getTopUp', parts)).status).toBe('initiated');
  });

  it('is accepted behind a proxy from the origin of public_url', async () => {
    const client = createTestClient({
      public_url: 'https://billing.example',
      allowed_hosts: ['inside'],
    });
    const { path } = await aTopUp(client);

    const { status } = await post(client, `${path}/pay`)
      .set('Host', 'inside:24100')
      .set('Origin', 'https://billing.example');

    expect(status).toBe(303);
  });

  it.each([
    { about: 'no body', send: '' },
    { about: 'fields twice', send: 'number=4242424242424242&number=1&expiry=12/34&cvc=123' },
    { about: 'a month that is over', send: 'number=4242424242424242&expiry=12/25&cvc=123' },
    { about: 'a month there is not', send: 'number=4242424242424242&expiry=13/34&cvc=123' },
    { about: 'markup', send: 'number=%3Cscript%3E&expiry=%22%3E%3Cscript%3E&cvc=123' },
  ])('with $about is shown again with 422 and pays nothing', async ({ send }) => {
    const client = createTestClient();
    const { id, path } = await aTopUp(client);

    const { status, text } = await client.http.post(`${path}/pay`).type('form').send(send);

    expect(status).toBe(422);
    expect(text).not.toMatch(/<script>/);
    const parts = { path: { topUpId: id } };
    expect((await client.api('getTopUp', parts)).status).toBe('initiated');
  });

  it('is rejected with 400 if it is too large', async () => {
    const client = createTestClient();
    const { path } = await aTopUp(client);

    const { status } = await post(client, `${path}/pay`, { number: '4'.repeat(100_000) });

    expect(status).toBe(400);
  });

  it('redirects a confirmation that no card requires back to the payment page', async () => {
    const client = createTestClient();
    const { path } = await aTopUp(client);

    expect((await client.http.get(`${path}/confirm`)).headers['location']).toBe(path);
    expect((await post(client, `${path}/confirm`, {})).headers['location']).toBe(path);
  });
});

it('the payment page says what each product costs and how often, and the sum', async () => {
  const client = createTestClient();
  await aCatalogProduct(client, 'extra', { name: 'Extra seats', prices: [fixedPrice(5.5)] });
  const products = [{ code: 'team' }, { code: 'extra' }];
  const { path } = await aSubscription(client, { products });

  const { text } = await client.http.get(path);

  const amounts = [...text.matchAll(/<data[^>]* value="([^"]*)"/g)].map(([, value]) => value);
  expect(amounts).toEqual(['49', '5.5', '54.5']);
  expect(text).toContain('<bdi>Team plan</bdi><small class="beneath">each month</small>');
  expect(text).toContain('Pay $54.50');
});

it('the payment page says what credit costs, how long it is valid, and the balance it leads to', async () => {
  const client = await withCredit({ rates: [usd(0.05)] });
  const { customer_id, path } = await aTopUp(client, { destination: { asset: 'CREDIT' } });

  const { text } = await client.http.get(path);
  await post(client, `${path}/pay`);

  const words = text.replaceAll(/<[^>]*>/g, '');
  expect(words).toMatch(/Credit of 400 \w+\$0.05 each, valid until 15 Jan 2027\$20.00Total/);
  expect(words).toMatch(/Your balance will then be 400 \w+\./);
  const wallet = { customerId: customer_id, accountId: 'default:CREDIT' };
  expect((await client.api('getWalletAccount', { path: wallet })).available).toBe(400);
});
