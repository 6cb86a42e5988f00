import { beforeEach, describe, expect, it } from 'vitest';
import { nextDue, runDueJob } from '../../clock/due.ts';
import type { Due } from '../../clock/job.ts';
import { instant } from '../../domain/instant.ts';
import { rowsOf } from '../../store/query.ts';
import type { TransactionRow } from '../../store/records.ts';
import { anEvent, CREDIT_ASSET, URLS, usagePrice } from '../../testing/catalog.ts';
import { type AnyBody, TEST_NOW } from '../../testing/client.ts';
import { aStory, type Story } from '../../testing/story.ts';

const BANK = { kind: 'bank_debit' };

let acme: Story;
beforeEach(async () => {
  const assets = [{ ...CREDIT_ASSET, rates: [{ source: 'USD', rate: 0.05 }] }];
  acme = await aStory({ now: TEST_NOW, assets });
});

const own = () => ({ customerId: acme.customerId });
const charge = (amount: number, asset = 'USD') => acme.charge(asset, amount);
const balance = (asset = 'USD') => acme.balance(asset);
const give = (amount: number, asset = 'USD', more: object = {}) =>
  acme.credit(asset, amount, { reason: 'gift', ...more });

const setAutoTopUp = (asset: string, body: object, status: number) =>
  acme.api('setAutoTopUp', { path: { ...own(), accountId: `default:${asset}` }, body }, status);

/** Turns on automatic top-ups. Default: 30 USD whenever fewer than 10 units are left. */
const turnOn = (terms: object = {}, asset = 'USD', status = 204) =>
  setAutoTopUp(asset, { threshold: 10, amount: 30, currency: 'USD', ...terms }, status);
const turnOff = () => setAutoTopUp('USD', { threshold: null }, 204);
const saveMethod = (body: object = { kind: 'card' }) =>
  acme.api('setPaymentMethod', { path: own(), body }, 204);

/** Why the automatic top-ups of each account came to nothing. */
async function rejections(): Promise<(string | undefined)[]> {
  const { items } = await acme.api('listAutoTopUps', { path: own() });
  return items.map(({ refused }: AnyBody) => refused);
}

/** The statuses of the customer's top-ups, which no operation lists. */
const statuses = () =>
  rowsOf(acme.world().tables.top_ups, { customer_id: acme.customerId }).map(({ status }) => status);

/** A top-up that the customer pays. */
async function topUp(amount: number, outcome: string): Promise<void> {
  const body = { customer_id: acme.customerId, amount, currency: 'USD', ...URLS };
  const { id } = await acme.api('createTopUp', { body }, 201);
  await acme.settle(id, outcome);
}

/** The id of the newest top-up: no operation lists those that are made automatically. */
const lastTopUp = () => [...acme.world().tables.top_ups.values()].at(-1)?.id as string;

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
    const prices = [usagePrice({ values: [{ unit_price: 15 }] })];
    const productId = await acme.product('calls', { prices });
    await acme.subscribeTo('calls');
    await give(20);
    await turnOn();
    const events = [anEvent()];
    const body = { customer_id: acme.customerId, events };

    await acme.api('simulateUsage', { path: { productId, version: 1 }, body });
    expect([await balance(), statuses()]).toEqual([20, []]);

    await acme.submit(...events);
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

    const { items } = await acme.api('listAutoTopUps', { path: own() });
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

    await acme.settle(lastTopUp(), 'failed');
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
    const world = acme.world();
    world.clock.state = { mode: 'frozen', at: instant('2026-01-20T00:00:00Z') };

    const { kind, changes } = runDueJob(
      world,
      nextDue(world) as Due,
      acme.client.emulator.settings,
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
    acme.api(
      'setAssetRate',
      { path: { assetCode: 'CREDIT' }, body: { source: 'USD', ...more } },
      204,
    );

  beforeEach(async () => {
    await saveMethod();
    await give(100, 'CREDIT');
    await turnOn({ threshold: 50 }, 'CREDIT');
    await setRate({ rate: 0.05, valid_to: '2026-01-16T00:00:00Z' });
    await acme.advance('P1D');
    await charge(60, 'CREDIT');
    expect([await balance('CREDIT'), await rejections()]).toEqual([40, ['not_possible']]);
  });

  it('pays when a scheduled rate begins', async () => {
    await setRate({ rate: 0.1, valid_from: '2026-01-20T00:00:00Z' });
    expect(await balance('CREDIT')).toBe(40);

    const { items } = await acme.advance('P10D');

    expect(items).toMatchObject([
      { kind: 'rate_change', at: '2026-01-20T00:00:00.000Z' },
      { kind: 'auto_top_up', at: '2026-01-20T00:00:00.000Z', outcome: 'paid' },
    ]);
    expect(await balance('CREDIT')).toBe(340);
  });

  it('is tried again at the next fall', async () => {
    await give(20, 'CREDIT');
    await setRate({ rate: 0.1, valid_from: '2026-01-20T00:00:00Z' });
    await acme.setClock('2026-01-20T00:00:00Z');

    await charge(20, 'CREDIT');
    expect(await balance('CREDIT')).toBe(340);
  });
});
