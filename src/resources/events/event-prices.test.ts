import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { anEvent, usagePrice } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

const worldOf = ({ key }: { key: string }) => {
  const world = client.emulator.worlds.find(key);
  if (!world) throw new Error(`${key} opens no world`);
  return world;
};

describe('submitEvents, choice of prices', () => {
  it('bills no fee for an event type without a price', async () => {
    const user = await aUser(client);
    const sent = anEvent({ event_type: 'other' });
    await user.submit(sent);
    expect(await user.event(sent.id)).toMatchObject({ fees: [], stats: { gross_revenue: 0 } });
    const page = await api('listEvents', { key: user.key }, 200);
    expect(page.items[0]).not.toHaveProperty('total_fees');
  });

  it('bills every product once, by the version of the latest subscription', async () => {
    const user = await aUser(client);
    const { key, productId, customerId } = user;
    const second = { prices: [usagePrice({ values: [{ unit_price: 5 }] })], publish: true };
    await api('createProductVersion', { key, path: { productId }, body: second }, 201);
    const other = { name: 'Other', code: 'other', publish: true, prices: [usagePrice({})] };
    const { id: otherId } = await api('createProduct', { key, body: other }, 201);
    const products = [{ id: productId, version: 2 }, { id: otherId }];
    const path = { customerId };
    await api('createSubscription', { key, path, body: { products } }, 201);

    const sent = anEvent();
    await user.submit(sent);
    const { fees } = await user.event(sent.id);
    expect(
      fees.map(({ product_code, product_version, amount }: AnyBody) => [
        product_code,
        product_version,
        amount,
      ]),
    ).toEqual([
      ['product', 2, 5],
      ['other', 1, 1],
    ]);
  });

  it('lists and pays fees in the order in which the subscriptions that bill them started', async () => {
    const assets = [{ code: 'CREDIT', name: 'Credits' }];
    const user = await aUser(client, { assets });
    const { key, customerId } = user;
    const inCredit = { asset: 'CREDIT', values: [{ unit_price: 10 }] };
    const plan = (code: string, usd: number) => {
      const price = usagePrice({ event_type: 'page' });
      const pricing = [inCredit, { asset: 'USD', values: [{ unit_price: usd }] }];
      return { name: code, code, publish: true, prices: [{ ...price, pricing }] };
    };
    await api('createProduct', { key, body: plan('alpha', 1) }, 201);
    await api('createProduct', { key, body: plan('beta', 50) }, 201);
    await user.credit('CREDIT', 10);
    await user.credit('USD', 100);
    for (const products of [[{ code: 'alpha' }, { code: 'beta' }], [{ code: 'alpha' }]])
      await api('createSubscription', { key, path: { customerId }, body: { products } }, 201);
    const sent = anEvent({ event_type: 'page' });
    await user.submit(sent);

    const { fees } = await user.event(sent.id);
    expect(
      fees.map(({ product_code, currency, amount }: AnyBody) => [product_code, currency, amount]),
    ).toEqual([
      ['beta', 'CREDIT', 10],
      ['alpha', 'USD', 1],
    ]);
  });

  it('bills by the subscriptions that are active at submission', async () => {
    const user = await aUser(client);
    const { key, customerId } = user;
    const [before, later] = [anEvent(), anEvent()];
    await user.submit(before);
    const { subscriptions } = await api('getCustomer', { key, path: { customerId } }, 200);
    const path = { customerId, subscriptionId: subscriptions[0].id };
    await api('updateSubscription', { key, path, body: { status: 'inactive' } }, 204);
    await user.submit(later);

    expect((await user.event(before.id)).fees).toHaveLength(1);
    expect((await user.event(later.id)).fees).toEqual([]);
  });

  it('stores the terms of a fee once for all customers, and the products once for all events of one', async () => {
    const user = await aUser(client);
    const { key, productId } = user;
    const other = { name: 'Other', subscriptions: [{ products: [{ id: productId }] }] };
    const { id } = await api('createCustomer', { key, body: other }, 201);
    for (const customer_id of [user.customerId, user.customerId, id])
      await api('submitEvents', { key, body: { customer_id, events: [anEvent()] } }, 204);

    const stored = [...worldOf(user).tables.events.values()];
    const terms = stored.flatMap(({ fees }) => fees.map((fee) => fee.terms));
    expect([stored.length, terms.length, new Set(terms).size]).toEqual([3, 3, 1]);
    expect(new Set(stored.map(({ billed_by }) => billed_by)).size).toBe(2);
  });

  it('adds a warning for a volume that is missing or not a number', async () => {
    const prices = [
      { usage_type: 'volume', volume_field: 'minutes', values: [{ volume_rate: 1 }] },
    ];
    const user = await aUser(client, { prices });
    const sent = [
      anEvent({ data: { minutes: '10' } }),
      anEvent(),
      anEvent({ data: { minutes: 1 } }),
    ];
    await user.submit(...sent);
    expect([...worldOf(user).tables.warnings.values()]).toMatchObject([
      { kind: 'unusable_volume', event_id: sent[0].id, field: 'data.minutes' },
      { kind: 'unusable_volume', event_id: sent[1].id, field: 'data.minutes' },
    ]);
  });
});
