import { describe, expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';

const client = createTestClient();
const { api } = client;

describe('submitEvents', () => {
  it('posts one ledger transaction for each fee, and none for a fee of 0', async () => {
    const prices = [{ values: [{ unit_price: 2 }] }, { values: [{ unit_price: 0 }] }];
    const user = await aUser(client, { prices });
    const sent = anEvent({ subject: 'chat', description: 'A call' });
    await user.submit(sent);

    const { fees } = await user.event(sent.id);
    expect(fees.map(({ amount }: AnyBody) => amount)).toEqual([2, 0]);
    const transactions = [...user.world().tables.transactions.values()];
    expect(transactions).toMatchObject([
      {
        source: 'usage',
        postings: [{ from: 'wallet', to: 'revenue', amount: '2' }],
        balance_after: '-2',
        event_id: sent.id,
        fee_id: fees[0].id,
        subject: 'chat',
        description: 'A call',
      },
    ]);
    const page = await api('listEvents', { key: user.key }, 200);
    expect(page.items[0]).toMatchObject({ has_fees: true, total_fees: 2, fee_currency: 'USD' });
  });

  it('bills usage in full even if the setting overdraft is deny', async () => {
    const strict = createTestClient({ overdraft: 'deny' });
    const user = await aUser(strict);
    await user.submit(anEvent(), anEvent());
    expect(await user.balances()).toEqual({ 'default:USD': -2 });
  });
});

const BY_VOLUME = { usage_type: 'volume', volume_field: 'v', values: [{ volume_rate: 1 }] };

/** Sends the text of a body as it is, since JSON.stringify would round its numbers. */
async function sendText(path: string, key: string, text: string, status: number): Promise<string> {
  const response = await client.http
    .post(path)
    .set({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })
    .send(text);
  expect(response.status).toBe(status);
  return response.text;
}

const getText = async (path: string, key: string): Promise<string> =>
  (await client.http.get(path).set({ Authorization: `Bearer ${key}` })).text;

const bodyOf = (customerId: string, id: string, v: string): string =>
  `{"customer_id":"${customerId}","events":[{"id":"${id}","event_type":"call",` +
  `"occurred_at":"2026-01-15T12:00:00Z","data":{"v":${v},"plan":"1.10"}}]}`;

describe('numbers in the data of usage', () => {
  it('are billed digit by digit', async () => {
    const { key, customerId, productId } = await aUser(client, { prices: [BY_VOLUME] });
    const id = nextUuid();
    const body = bodyOf(customerId, id, '99999999999999.99999');
    const simulated = await sendText(`/products/${productId}/1/simulate-usage`, key, body, 200);
    await sendText('/events', key, body, 204);

    for (const text of [simulated, await getText(`/events/${id}`, key)])
      expect(text).toContain('"amount":99999999999999.99999');
    expect(await getText(`/customers/${customerId}/wallet`, key)).toContain(
      '"available":-99999999999999.99999',
    );
    expect(await getText(`/_emulator/explain/${id}`, key)).toContain('"v":99999999999999.99999');
    const { findings } = await client.control('verifyLedger', { key }, 200);
    expect(findings).toEqual([]);
  });

  it('survive an export and an import', async () => {
    const { key, customerId } = await aUser(client, { prices: [BY_VOLUME] });
    const id = nextUuid();
    await sendText('/events', key, bodyOf(customerId, id, '99999999999999.99999'), 204);
    const world = await getText('/_emulator/export', key);
    await client.control('resetWorld', { key, body: { to: 'empty' } }, 200);
    await sendText('/_emulator/import', key, world, 200);

    expect(await getText(`/events/${id}`, key)).toContain('"v":99999999999999.99999');
  });
});

const credits = { code: 'CREDIT', name: 'Credits', rates: [{ source: 'USD', rate: 0.05 }] };
const pricing = [
  { asset: 'CREDIT', values: [{ unit_price: 3 }] },
  { asset: 'USD', values: [{ unit_price: 1 }] },
];

/** A customer with 4 CREDIT and 1 USD. Each call has two fees of 3 CREDIT or 1 USD. */
async function aFundedUser(): Promise<User> {
  const user = await aUser(client, { assets: [credits], prices: [{ pricing }, { pricing }] });
  await user.credit('CREDIT', 4);
  await user.credit('USD', 1);
  return user;
}

const simulate = ({ key, productId }: User, body: object) =>
  client.send('simulateUsage', { key, path: { productId, version: 1 }, body });

/** A usage fee as a simulation shows it: without fields of the product and without nulls. */
const simulated = ({ id: event_id, event_type, fees }: AnyBody) =>
  fees.map(
    ({ id: _, product_id: _id, product_code: _code, product_version: _no, ...fee }: AnyBody) => {
      const given = Object.entries(fee).filter(([, value]) => value !== null);
      return { usage_id: event_id, event_type, ...Object.fromEntries(given) };
    },
  );

describe('simulateUsage', () => {
  it('prices events like submitEvents, with the balances of the customer', async () => {
    const user = await aFundedUser();
    const events = [anEvent(), anEvent(), anEvent({ event_type: 'free' })];
    const { body } = await simulate(user, { customer_id: user.customerId, events });
    await user.submit(...events);

    const real = await Promise.all(events.map(({ id }) => user.event(id)));
    expect(body.fees).toEqual(real.flatMap(simulated));
    // 3 CREDIT leave 2, which cover no other fee: 1 USD; then nothing covers one: 3 CREDIT twice.
    expect(body.fees.map(({ amount, currency }: AnyBody) => [amount, currency])).toEqual([
      [3, 'CREDIT'],
      [1, 'USD'],
      [3, 'CREDIT'],
      [3, 'CREDIT'],
    ]);
    expect(body.warnings).toEqual([`${events[2]?.id}: No price counts free: there is no fee.`]);
  });

  it('prices in the first asset without a customer', async () => {
    const user = await aFundedUser();
    const { body } = await simulate(user, { events: [anEvent()] });
    expect(body.fees).toMatchObject([
      { currency: 'CREDIT', amount: 3 },
      { currency: 'CREDIT', amount: 3 },
    ]);
    expect(body).not.toHaveProperty('warnings');
  });

  it('stores nothing, and returns the same response to the same request', async () => {
    const user = await aFundedUser();
    const world = user.world();
    const request = {
      customer_id: user.customerId,
      events: [anEvent(), anEvent({ occurred_at: '2001-01-01T00:00:00Z' })],
    };
    const { requests: _, ...before } = world?.image() ?? {};
    const first = await simulate(user, request);
    const second = await simulate(user, request);
    const { requests: __, ...after } = world?.image() ?? {};

    expect(after).toEqual(before);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    { productId: 'prp_none', field: 'productId' },
    { version: 9, field: 'version' },
    { customer_id: 'cust_none', field: 'customer_id' },
  ])('rejects an unknown $field', async ({ productId, version, customer_id, field }) => {
    const user = await aFundedUser();
    const path = { productId: productId ?? user.productId, version: version ?? 1 };
    const body = { events: [anEvent()], customer_id: customer_id ?? null };
    const { errors } = await api('simulateUsage', { key: user.key, path, body }, 422);
    expect(Object.keys(errors)).toEqual([field]);
  });

  it('rejects more events than the limit', async () => {
    const small = createTestClient({ limits: { MAX_BATCH: 1 } });
    const { key, productId } = await aUser(small);
    const path = { productId, version: 1 };
    const body = { events: [anEvent(), anEvent()] };
    const { errors } = await small.api('simulateUsage', { key, path, body }, 422);
    expect(Object.keys(errors)).toEqual(['events']);
  });
});
