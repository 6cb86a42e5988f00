import { describe, expect, it } from 'vitest';
import { openAutoTopUps } from '../../testing/before-each.ts';
import { aCatalogProduct, inWorld, URLS } from '../../testing/catalog.ts';
import { nextUuid } from '../../testing/usage.ts';

const DECLINED = { kind: 'card', last4: '0341', declines_later: true };
const BANK = { kind: 'bank_debit' };

const place = openAutoTopUps();
const { give, charge, balance, grants, advance, turnOn, turnOff, saveMethod } = place;
const { statuses, refusals } = place;

const settle = (id: string, outcome: string) =>
  place.control('settlePayment', { path: { id }, body: { outcome } });

/** A top-up that the customer pays. */
async function topUp(amount: number, outcome: string): Promise<void> {
  const body = { customer_id: place.customerId, amount, currency: 'USD', ...URLS };
  const { id } = await place.api('createTopUp', { body }, 201);
  await settle(id, outcome);
}

/** The id of the newest top-up: no operation lists those that are made automatically. */
const lastTopUp = () =>
  inWorld(place.client, ({ tables }) => [...tables.top_ups.values()].at(-1)?.id as string);

describe('an automatic top-up', () => {
  it('pays when the balance is below the threshold, not when it equals it', async () => {
    await saveMethod();
    await give(20);
    await turnOn();

    await charge(10);
    expect(await balance()).toBe(10);
    await charge(0.01);

    expect(await balance()).toBe(39.99);
    expect(statuses()).toEqual(['succeeded']);
    expect((await grants('USD')).at(-1)).toMatchObject({
      source: 'top_up',
      purpose: 'paid',
      amount: 30,
    });
  });

  it('pays once for each fall below the threshold, not for each debit while below', async () => {
    await saveMethod();
    await give(20);
    await turnOn({ amount: 5 });

    await charge(120);
    expect(await balance()).toBe(-95);
    await charge(1);
    expect(await balance()).toBe(-96);
    await give(110);
    expect(await balance()).toBe(14);

    await charge(5);
    expect(await balance()).toBe(14);
  });

  it('pays when other terms find the balance below, not when the same terms are set again', async () => {
    await saveMethod();
    await give(4);
    await turnOn({ amount: 5 });
    await turnOn({ amount: 5 });
    await turnOn({ amount: 5, threshold: 8 });
    expect(await balance()).toBe(9);

    await turnOn({ amount: 5, threshold: 9.5 });
    expect(await balance()).toBe(14);
  });

  it('is not caused by simulated usage', async () => {
    await saveMethod();
    const price = {
      name: 'Calls',
      type: 'usage_based',
      billing_model: { type: 'real_time' },
      usage_calculation: { event_type: 'call', usage_type: 'unit' },
      pricing: [{ asset: 'USD', values: [{ unit_price: 15 }] }],
    };
    await aCatalogProduct(place.client, 'calls', { prices: [price] });
    const order = { products: [{ code: 'calls' }] };
    await place.client.api(
      'createSubscription',
      { path: { customerId: place.customerId }, body: order },
      201,
    );
    await give(20);
    await turnOn();
    const events = [{ id: nextUuid(), event_type: 'call', occurred_at: '2026-01-15T12:00:00Z' }];
    const { items } = await place.client.api('listProducts', {}, 200);
    const path = { productId: items[0].id, version: 1 };

    await place.client.api(
      'simulateUsage',
      { path, body: { customer_id: place.customerId, events } },
      200,
    );
    expect([await balance(), statuses()]).toEqual([20, []]);

    await place.client.api(
      'submitEvents',
      { body: { customer_id: place.customerId, events } },
      204,
    );
    expect(await balance()).toBe(35);
  });

  it('pauses after a decline until another card is saved', async () => {
    await saveMethod(DECLINED);
    await give(20);
    await turnOn();

    await charge(15);
    await charge(1);
    expect([await balance(), statuses(), await refusals()]).toEqual([4, ['failed'], ['declined']]);

    await saveMethod();
    expect([await balance(), statuses()]).toEqual([34, ['failed', 'succeeded']]);
    expect(await refusals()).toEqual([undefined]);
  });

  it('does not pay without a saved card', async () => {
    await give(20);
    await turnOn();

    await charge(15);

    expect([await balance(), statuses(), await refusals()]).toEqual([5, [], ['no_payment_method']]);
  });

  it('pays as soon as a paid top-up saves a card', async () => {
    await give(20);
    await turnOn();
    await charge(15);

    await topUp(1, 'succeeded');

    // 5 plus the 1 that was paid is still below 10: 30 are added with the card of that payment.
    expect([await balance(), await refusals()]).toEqual([36, [undefined]]);
  });

  it('does not pay after its rule is removed', async () => {
    await saveMethod();
    await give(20);
    await turnOn();
    await turnOff();

    await charge(15);

    expect(await balance()).toBe(5);
  });

  it('is rejected with an impossible amount or currency, and the earlier rule is kept', async () => {
    await give(20);
    await turnOn();

    await turnOn({ currency: 'EUR' }, 'USD', 422);
    await turnOn({ amount: 0.001 }, 'USD', 422);

    const path = { customerId: place.customerId };
    const { items } = await place.control('listAutoTopUps', { path });
    expect(items).toEqual([
      { account_id: 'default:USD', threshold: 10, amount: 30, currency: 'USD' },
    ]);
    expect(statuses()).toEqual([]);
  });
});

describe('an automatic top-up while money is on its way', () => {
  it('counts it by its amount', async () => {
    await saveMethod(BANK);
    await give(20);
    await turnOn();

    await charge(15);
    // -19 and the 30 on their way are 11; after the next 2, they are 9.
    await charge(24);
    expect([await balance(), statuses()]).toEqual([-19, ['pending']]);
    await charge(2);
    expect([await balance(), statuses()]).toEqual([-21, ['pending', 'pending']]);

    await advance('P1D');
    expect([await balance(), statuses()]).toEqual([39, ['succeeded', 'succeeded']]);
  });

  it('waits for another payment method if it fails', async () => {
    await saveMethod(BANK);
    await give(20);
    await turnOn();
    await charge(15);

    await settle(lastTopUp(), 'failed');
    await charge(1);
    expect([await balance(), statuses(), await refusals()]).toEqual([4, ['failed'], ['declined']]);

    await saveMethod();
    expect([await balance(), statuses()]).toEqual([34, ['failed', 'succeeded']]);
  });
});
