import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

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
