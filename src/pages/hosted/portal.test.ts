import { beforeEach, describe, expect, it } from 'vitest';
import { aCatalogProduct, fixedPrice, freezeAt, nextUuid, URLS } from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

let client: TestClient;
let customerId: string;

beforeEach(async () => {
  client = createTestClient();
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
});

/** Returns the path of a new link to the customer's portal. */
async function newLink(): Promise<string> {
  const body = { customer_id: customerId, ...URLS };
  const { redirect_url } = await client.api('createPortalSession', { body });
  return new URL(redirect_url).pathname;
}

/** Returns the path of a new visit to the customer's portal. */
async function enter(): Promise<string> {
  return String((await client.http.get(await newLink())).headers['location']);
}

const read = async (path: string): Promise<string> => (await client.http.get(path)).text;
const post = (path: string, form: object) => client.http.post(path).type('form').send(form);

const CARD = { number: '4242424242424242', expiry: '02/27', cvc: '123' };
const AUTO_TOP_UP = {
  account: 'default:USD',
  on: 'on',
  threshold: '10',
  amount: '30',
  currency: 'USD',
};

const MONTHLY = {
  duration: 'month',
  duration_count: 1,
  refresh: { strategy: 'expire_and_replace' },
};

describe('a portal link', () => {
  it('opens a new visit each time, until it expires', async () => {
    const link = await newLink();

    const [first, second] = [await client.http.get(link), await client.http.get(link)];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(first.headers['location']).not.toBe(second.headers['location']);

    await freezeAt(client, '2026-01-15T12:10:00.000Z');
    expect((await client.http.get(link)).headers['location']).toBe(URLS.failure_url);
  });

  it('opens a visit that redirects to failure_url after 30 minutes', async () => {
    const visit = await enter();

    await freezeAt(client, '2026-01-15T12:29:59.999Z');
    expect((await client.http.get(visit)).status).toBe(200);
    await freezeAt(client, '2026-01-15T12:30:00.000Z');
    for (const answer of [await client.http.get(visit), await post(`${visit}/card`, CARD)])
      expect([answer.status, answer.headers['location']]).toEqual([303, URLS.failure_url]);
  });

  it('that does not exist returns 404', async () => {
    for (const path of ['/hosted/portal/none', '/hosted/portal/visits/none', '/hosted/portal'])
      expect((await client.http.get(path)).status).toBe(404);
    expect((await post('/hosted/portal/visits/none/card', CARD)).status).toBe(404);
  });
});

describe('the portal', () => {
  it('shows amounts to pay first, then the plan and its included credit', async () => {
    const credit = { name: 'Included', amount: 400, asset: 'USD', lifecycle: MONTHLY };
    await aCatalogProduct(client, 'team', {
      name: 'Team plan',
      prices: [fixedPrice(49)],
      entitlements: [{ ...credit, purpose: 'bundled', accounting: { revenue_basis: 0.1 } }],
    });
    const body = { products: [{ code: 'team' }], ...URLS };
    const order = { path: { customerId }, body };
    const { required_actions } = await client.api('createSubscription', order, 201);
    const pay = `${new URL(required_actions[0].redirect_url).pathname}/pay`;
    await post(pay, { ...CARD, number: '4000000000009995' });
    const charge = { transaction_id: nextUuid(), asset: 'USD', amount: 4.5 };
    await client.api('chargeWallet', { path: { customerId }, body: charge }, 201);

    const text = (await read(await enter())).replaceAll(/<[^>]*>/g, '');

    const parts = [
      '$49.00 to pay for Team plan. The card has insufficient funds.',
      'includes $400.00 each month',
      'to be paid',
      'once paid',
      '$49.00 each month',
      '−$4.50',
    ];
    let from = 0;
    for (const part of parts) {
      const place = text.indexOf(part, from);
      expect(place, part).toBeGreaterThanOrEqual(from);
      from = place + part.length;
    }
  });

  it('starts a top-up that redirects back to the same visit', async () => {
    const visit = await enter();

    const started = await post(`${visit}/top-up`, {
      amount: '20',
      currency: 'USD',
      account: 'default:USD',
    });
    await post(`${started.headers['location']}/pay`, { ...CARD, number: '4000000000000002' });
    expect(await read(visit)).toMatch(/Card 0002.*declined/);
    const paid = await post(`${started.headers['location']}/pay`, CARD);

    expect(await read(visit)).toMatch(/Card 4242.*Paid/);
    expect(new URL(String(paid.headers['location'])).pathname).toBe(visit);
    expect(await read(visit)).toContain('Card 4242 pays renewals');
  });

  it.each([
    { amount: '', currency: 'USD', account: 'default:USD' },
    { amount: '-1', currency: 'USD', account: 'default:USD' },
    { amount: '0', currency: 'USD', account: 'default:USD' },
    { amount: '1e3', currency: 'USD', account: 'default:USD' },
    { amount: '12345678901234567', currency: 'USD', account: 'default:USD' },
    { amount: '1', currency: '<b>', account: 'default:USD' },
    { amount: '1', currency: 'USD', account: 'default:NONE' },
    { amount: '1', currency: 'USD', account: '__proto__' },
    {},
  ])('rejects a top-up with 422: %j', async (form) => {
    const visit = await enter();

    const { status, text } = await post(`${visit}/top-up`, form);

    expect(status).toBe(422);
    expect(text).toContain('role="alert"');
    if (form.amount) expect(text).toContain(`value="${form.amount}"`);
    expect(await read(visit)).toContain('No payments yet.');
  });

  it.each(['threshold', 'amount'])(
    'rejects an automatic top-up with an invalid %s with 422',
    async (field) => {
      const gift = { transaction_id: nextUuid(), asset: 'USD', amount: 20, reason: 'gift' };
      await client.api('adjustWallet', { path: { customerId }, body: gift }, 201);

      const form = { ...AUTO_TOP_UP, [field]: 'x' };
      const { status, text } = await post(`${await enter()}/auto-top-up`, form);

      expect([status, text.includes('role="alert"')]).toEqual([422, true]);
    },
  );

  it('rejects a card that would be declined with 422 and does not save it', async () => {
    const visit = await enter();

    const { status, text } = await post(`${visit}/card`, { ...CARD, number: '4000000000000002' });

    expect(status).toBe(422);
    expect(text).toContain('The card was declined.');
    expect(text).toContain('No card is saved.');
  });

  it('rejects an automatic top-up of an unknown account with 400', async () => {
    const visit = await enter();

    const { status } = await post(`${visit}/auto-top-up`, AUTO_TOP_UP);

    expect(status).toBe(400);
  });
});

describe('the spend of a month', () => {
  const charge = async (amount: number) => {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount };
    await client.api('chargeWallet', { path: { customerId }, body }, 201);
  };
  const words = async (visit: string) => (await read(visit)).replaceAll(/<[^>]*>/g, '');

  it('is that of the current month, by day', async () => {
    await charge(4.5);
    await client.api('advanceClock', { body: { by: 'P1M' } });
    expect(await words(await enter())).toContain('Spend in February 2026No spend in this month.');

    await charge(2);
    const shown = await words(await enter());
    expect(shown).toContain('Spend in February 2026$2.00');
    expect(shown).toContain('15 Feb 2026$2.00$0.00$2.00');
  });

  it('has what is spent after a view added to the sums of the view before', async () => {
    const visit = await enter();
    const totals: unknown[] = [];
    for (const amount of [4.5, 2, 1]) {
      totals.push(/Spend in January 2026(\$[\d.]+)/.exec(await words(visit))?.[1]);
      await charge(amount);
    }

    expect(totals).toEqual([undefined, '$4.50', '$6.50']);
  });
});
