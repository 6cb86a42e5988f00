import { beforeEach, describe, expect, it } from 'vitest';
import { RuleViolation } from '../../domain/rules.ts';
import type { CustomerRow, PaymentMethod, WalletAccountRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import { aCatalogProduct, grantsOf, inWorld, URLS } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { nextUuid } from '../../testing/usage.ts';
import type { Context } from '../context.ts';
import { removeAutoTopUpRule, setAutoTopUpRule } from './auto-top-ups.ts';
import { saveMethod } from './saved-method.ts';

const CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };
const DECLINED: PaymentMethod = { kind: 'card', last4: '0341', declines_later: true };
const BANK: PaymentMethod = { kind: 'bank_debit', last4: '6789', declines_later: false };

let client: TestClient;
let customerId: string;

beforeEach(async () => {
  client = createTestClient();
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  const rates = [{ source: 'USD', rate: 0.05 }];
  await client.api('createAsset', { body: { code: 'CREDIT', name: 'Credits', rates } }, 201);
});

async function give(amount: number, asset = 'USD', more: object = {}): Promise<void> {
  const body = { transaction_id: nextUuid(), asset, amount, reason: 'gift', ...more };
  await client.api('adjustWallet', { path: { customerId }, body }, 201);
}

async function charge(amount: number, asset = 'USD'): Promise<void> {
  const body = { transaction_id: nextUuid(), asset, amount };
  await client.api('chargeWallet', { path: { customerId }, body }, 201);
}

async function balance(asset = 'USD'): Promise<AnyBody> {
  const path = { customerId, accountId: `default:${asset}` };
  return (await client.api('getWalletAccount', { path }, 200)).available;
}

const advance = (by: string) => client.control('advanceClock', { body: { by } }, 200);

const accountOf = ({ tables }: Context, asset = 'USD') =>
  tables.wallet_accounts.get(key(customerId, `default:${asset}`)) as WalletAccountRow;

/** Turns it on: 30 USD whenever less than 10 units are left, unless told. */
function turnOn(terms: object = {}, asset = 'USD'): void {
  const preset = { threshold: '10', amount: '30', currency: 'USD', ...URLS };
  inWorld(client, (context) =>
    setAutoTopUpRule(context, accountOf(context, asset), { ...preset, ...terms }),
  );
}

function saveCard(method: PaymentMethod = CARD): void {
  inWorld(client, (context) =>
    saveMethod(context, context.tables.customers.get(customerId) as CustomerRow, method),
  );
}

const statuses = () =>
  inWorld(client, ({ tables }) =>
    tables.top_ups.list('customer', customerId).map(({ status }) => status),
  );

const refusal = () =>
  inWorld(
    client,
    ({ tables }) => tables.auto_top_ups.get(key(customerId, 'default:USD'))?.refused?.reason,
  );

describe('an automatic top-up', () => {
  it('pays once the balance is below the threshold, and not at it', async () => {
    saveCard();
    await give(20);
    turnOn();

    await charge(10);
    expect(await balance()).toBe(10);
    await charge(0.01);

    expect(await balance()).toBe(39.99);
    expect(statuses()).toEqual(['succeeded']);
    expect((await grantsOf(client, customerId, 'default:USD')).at(-1)).toMatchObject({
      source: 'top_up',
      purpose: 'paid',
      amount: 30,
    });
  });

  it('pays at once where the balance is below already', async () => {
    saveCard();
    await give(4);
    turnOn();

    expect(await balance()).toBe(34);
  });

  it('pays once for each fall, however far it was', async () => {
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

  it('leaves no trace of usage that is only simulated', async () => {
    saveCard();
    const price = {
      name: 'Calls',
      type: 'usage_based',
      billing_model: { type: 'real_time' },
      usage_calculation: { event_type: 'call', usage_type: 'unit' },
      pricing: [{ asset: 'USD', values: [{ unit_price: 15 }] }],
    };
    await aCatalogProduct(client, 'calls', { prices: [price] });
    const order = { products: [{ code: 'calls' }] };
    await client.api('createSubscription', { path: { customerId }, body: order }, 201);
    await give(20);
    turnOn();
    const events = [{ id: nextUuid(), event_type: 'call', occurred_at: '2026-01-15T12:00:00Z' }];
    const { items } = await client.api('listProducts', {}, 200);
    const path = { productId: items[0].id, version: 1 };

    await client.api('simulateUsage', { path, body: { customer_id: customerId, events } }, 200);
    expect([await balance(), statuses()]).toEqual([20, []]);

    await client.api('submitEvents', { body: { customer_id: customerId, events } }, 204);
    expect(await balance()).toBe(35);
  });

  it('by bank debit is on its way for a day, and is not repeated meanwhile', async () => {
    saveCard(BANK);
    await give(20);
    turnOn();

    await charge(15);
    await charge(1);
    expect([await balance(), statuses()]).toEqual([4, ['pending']]);

    await advance('P1D');
    expect([await balance(), statuses()]).toEqual([34, ['succeeded']]);
  });

  it('rests after a refusal until another card is saved', async () => {
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

  it('rests without a card', async () => {
    await give(20);
    turnOn();

    await charge(15);

    expect([await balance(), statuses(), refusal()]).toEqual([5, [], 'no_payment_method']);
  });

  it('rests without a card until whatever saves one, such as a top-up that is paid', async () => {
    await give(20);
    turnOn();
    await charge(15);

    const body = { customer_id: customerId, amount: 1, currency: 'USD', ...URLS };
    const { id } = await client.api('createTopUp', { body }, 201);
    await client.control('settlePayment', { path: { id }, body: { outcome: 'succeeded' } }, 200);

    // 5 and the 1 that was paid are below 10 still: 30 come by the card of that payment.
    expect([await balance(), refusal()]).toEqual([36, undefined]);
  });

  it('does nothing once it is off', async () => {
    saveCard();
    await give(20);
    turnOn();
    inWorld(client, (context) => removeAutoTopUpRule(context, accountOf(context)));

    await charge(15);

    expect(await balance()).toBe(5);
  });

  it('is refused on terms that no top-up could have, and keeps what was before', async () => {
    await give(20);
    turnOn();

    expect(() => turnOn({ currency: 'EUR' })).toThrow(RuleViolation);
    expect(() => turnOn({ amount: '0.001' })).toThrow(RuleViolation);

    const kept = inWorld(client, ({ tables }) =>
      tables.auto_top_ups.get(key(customerId, 'default:USD')),
    );
    expect(kept).toMatchObject({ amount: '30', currency: 'USD' });
    expect(statuses()).toEqual([]);
  });
});
