import { beforeEach, describe, expect, it } from 'vitest';
import { nextDue, runDueJob } from '../../clock/due.ts';
import type { Due } from '../../clock/job.ts';
import { instant } from '../../domain/instant.ts';
import { rowsOf } from '../../store/query.ts';
import type { TransactionRow } from '../../store/records.ts';
import { aCatalogProduct, inWorld, nextUuid, URLS } from '../../testing/catalog.ts';
import type { AnyBody } from '../../testing/client.ts';
import { openBuyer } from '../../testing/story.ts';

const BANK = { kind: 'bank_debit' };

const place = openBuyer({ rates: [{ source: 'USD', rate: 0.05 }] });
const { api, advance } = place;
const own = () => ({ customerId: place.customerId });
const charge = (amount: number, asset = 'USD') => place.charge(asset, amount);
const balance = (asset = 'USD') => place.balance(asset);
const give = (amount: number, asset = 'USD', more: object = {}) =>
  place.credit(asset, amount, { reason: 'gift', ...more });

const setAutoTopUp = (asset: string, body: object, status: number) =>
  api('setAutoTopUp', { path: { ...own(), accountId: `default:${asset}` }, body }, status);

/** Turns on automatic top-ups. Default: 30 USD whenever fewer than 10 units are left. */
const turnOn = (terms: object = {}, asset = 'USD', status = 204) =>
  setAutoTopUp(asset, { threshold: 10, amount: 30, currency: 'USD', ...terms }, status);
const turnOff = () => setAutoTopUp('USD', { threshold: null }, 204);
const saveMethod = (body: object = { kind: 'card' }) =>
  api('setPaymentMethod', { path: own(), body }, 204);

/** Why the automatic top-ups of each account came to nothing. */
async function rejections(): Promise<(string | undefined)[]> {
  const { items } = await api('listAutoTopUps', { path: own() });
  return items.map(({ refused }: AnyBody) => refused);
}

/** The statuses of the customer's top-ups, which no operation lists. */
const statuses = () =>
  inWorld(place.client, ({ tables }) =>
    rowsOf(tables.top_ups, { customer_id: place.customerId }).map(({ status }) => status),
  );

const settle = (id: string, outcome: string) =>
  place.api('settlePayment', { path: { id }, body: { outcome } });

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
    const { items } = await place.client.api('listProducts');
    const path = { productId: items[0].id, version: 1 };

    await place.client.api('simulateUsage', {
      path,
      body: { customer_id: place.customerId, events },
    });
    expect([await balance(), statuses()]).toEqual([20, []]);

    await place.client.api(
      'submitEvents',
      { body: { customer_id: place.customerId, events } },
      204,
    );
    expect(await balance()).toBe(35);
  });

  it('pays as soon as a paid top-up saves a card', async () => {
    await give(20);
    await turnOn();
    await charge(15);
    expect([await balance(), statuses(), await rejections()]).toEqual([
      5,
      [],
      ['no_payment_method'],
    ]);

    await topUp(1, 'succeeded');

    // 5 plus the 1 that was paid is still below 10: 30 are added with the card of that payment.
    expect([await balance(), await rejections()]).toEqual([36, [undefined]]);
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
    await turnOn({ amount: 0 }, 'USD', 422);
    await turnOn({ threshold: -1 }, 'USD', 422);
    await turnOn({}, 'EUR', 404);

    const path = { customerId: place.customerId };
    const { items } = await place.api('listAutoTopUps', { path });
    expect(items).toEqual([
      { account_id: 'default:USD', threshold: 10, amount: 30, currency: 'USD' },
    ]);
    expect(statuses()).toEqual([]);
  });
});

describe('an automatic top-up while money is on its way', () => {
  it('waits for another payment method if it fails', async () => {
    await saveMethod(BANK);
    await give(20);
    await turnOn();
    await charge(15);

    await settle(lastTopUp(), 'failed');
    await charge(1);
    expect([await balance(), statuses(), await rejections()]).toEqual([
      4,
      ['failed'],
      ['declined'],
    ]);

    await saveMethod();
    expect([await balance(), statuses()]).toEqual([34, ['failed', 'succeeded']]);
  });
});

describe('an automatic top-up while the clock advances', () => {
  it('is in the changes of the job that caused it', async () => {
    await saveMethod();
    await give(20, 'USD', { expires_at: '2026-01-20T00:00:00Z' });
    await turnOn();
    const { world } = inWorld(place.client, (context) => context);
    world.clock.state = { mode: 'frozen', at: instant('2026-01-20T00:00:00Z') };

    const { kind, changes } = runDueJob(
      world,
      nextDue(world) as Due,
      place.client.emulator.settings,
    );

    expect(kind).toBe('grant_expiry');
    const moved = changes
      .filter(({ table }) => table === 'transactions')
      .map(({ after }) => (after as TransactionRow).source);
    expect(moved).toEqual(['expiry', 'top_up']);
  });
});

describe('an automatic top-up without a rate', () => {
  const setRate = (more: object) =>
    place.api(
      'setAssetRate',
      { path: { assetCode: 'CREDIT' }, body: { source: 'USD', ...more } },
      204,
    );

  beforeEach(async () => {
    await saveMethod();
    await give(100, 'CREDIT');
    await turnOn({ threshold: 50 }, 'CREDIT');
    await setRate({ rate: 0.05, valid_to: '2026-01-16T00:00:00Z' });
    await advance('P1D');
    await charge(60, 'CREDIT');
    expect([await balance('CREDIT'), await rejections()]).toEqual([40, ['not_possible']]);
  });

  it('pays when a scheduled rate begins', async () => {
    await setRate({ rate: 0.1, valid_from: '2026-01-20T00:00:00Z' });
    expect(await balance('CREDIT')).toBe(40);

    const { items } = await advance('P10D');

    expect(items).toMatchObject([
      { kind: 'rate_change', at: '2026-01-20T00:00:00.000Z' },
      { kind: 'auto_top_up', at: '2026-01-20T00:00:00.000Z', outcome: 'paid' },
    ]);
    expect(await balance('CREDIT')).toBe(340);
  });

  it('is tried again at the next fall', async () => {
    await give(20, 'CREDIT');
    await setRate({ rate: 0.1, valid_from: '2026-01-20T00:00:00Z' });
    await place.api('setClock', { body: { mode: 'frozen', now: '2026-01-20T00:00:00Z' } });

    await charge(20, 'CREDIT');
    expect(await balance('CREDIT')).toBe(340);
  });
});
