import { describe, expect, it } from 'vitest';
import { RuleViolation } from '../../domain/rules.ts';
import type { PaymentMethod } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { aCatalogProduct, inWorld, URLS } from '../../testing/catalog.ts';
import { openAutoTopUps } from '../../testing/setups/auto-top-ups.ts';
import { nextUuid } from '../../testing/usage.ts';
import { removeAutoTopUpRule } from './auto-top-ups.ts';

const DECLINED: PaymentMethod = { kind: 'card', last4: '0341', declines_later: true };
const BANK: PaymentMethod = { kind: 'bank_debit', last4: '6789', declines_later: false };

const place = openAutoTopUps();
const { give, charge, balance, grants, advance, accountOf, turnOn, saveCard, statuses, refusal } =
  place;

describe('an automatic top-up', () => {
  it('pays when the balance is below the threshold, not when it equals it', async () => {
    saveCard();
    await give(20);
    turnOn();

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

  it('pays at once if the balance is already below the threshold', async () => {
    saveCard();
    await give(4);
    turnOn();

    expect(await balance()).toBe(34);
  });

  it('pays once for each debit, even if the balance stays below the threshold', async () => {
    saveCard();
    await give(20);
    turnOn({ amount: '5' });

    await charge(120);
    expect(await balance()).toBe(-95);

    await give(1);
    expect(await balance()).toBe(-94);
    await charge(1);
    expect(await balance()).toBe(-90);
  });

  it('buys credit of an asset at the rate in force', async () => {
    saveCard();
    await give(100, 'CREDIT');
    turnOn({ threshold: '50' }, 'CREDIT');

    await charge(60, 'CREDIT');

    // 40 are left, and 30 USD at 0.05 buy 600.
    expect(await balance('CREDIT')).toBe(640);
  });

  it('is not caused by simulated usage', async () => {
    saveCard();
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
    turnOn();
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

  it('by bank debit is pending for a day and is not repeated meanwhile', async () => {
    saveCard(BANK);
    await give(20);
    turnOn();

    await charge(15);
    await charge(1);
    expect([await balance(), statuses()]).toEqual([4, ['pending']]);

    await advance('P1D');
    expect([await balance(), statuses()]).toEqual([34, ['succeeded']]);
  });

  it('pauses after a decline until another card is saved', async () => {
    saveCard(DECLINED);
    await give(20);
    turnOn();

    await charge(15);
    await charge(1);
    expect([await balance(), statuses(), refusal()]).toEqual([4, ['failed'], 'declined']);

    saveCard();
    expect([await balance(), statuses()]).toEqual([34, ['failed', 'succeeded']]);
    expect(refusal()).toBeUndefined();
  });

  it('does not pay without a saved card', async () => {
    await give(20);
    turnOn();

    await charge(15);

    expect([await balance(), statuses(), refusal()]).toEqual([5, [], 'no_payment_method']);
  });

  it('pays as soon as a paid top-up saves a card', async () => {
    await give(20);
    turnOn();
    await charge(15);

    const body = { customer_id: place.customerId, amount: 1, currency: 'USD', ...URLS };
    const { id } = await place.client.api('createTopUp', { body }, 201);
    await place.client.control(
      'settlePayment',
      { path: { id }, body: { outcome: 'succeeded' } },
      200,
    );

    // 5 plus the 1 that was paid is still below 10: 30 are added with the card of that payment.
    expect([await balance(), refusal()]).toEqual([36, undefined]);
  });

  it('does not pay after its rule is removed', async () => {
    saveCard();
    await give(20);
    turnOn();
    inWorld(place.client, (context) => removeAutoTopUpRule(context, accountOf(context)));

    await charge(15);

    expect(await balance()).toBe(5);
  });

  it('is rejected with an impossible amount or currency, and the earlier rule is kept', async () => {
    await give(20);
    turnOn();

    expect(() => turnOn({ currency: 'EUR' })).toThrow(RuleViolation);
    expect(() => turnOn({ amount: '0.001' })).toThrow(RuleViolation);

    const kept = inWorld(place.client, ({ tables }) =>
      tables.auto_top_ups.get(key(place.customerId, 'default:USD')),
    );
    expect(kept).toMatchObject({ amount: '30', currency: 'USD' });
    expect(statuses()).toEqual([]);
  });
});
