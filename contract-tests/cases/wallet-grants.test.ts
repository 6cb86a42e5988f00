import {
  aCustomerWorld,
  adjustment,
  aFreshCustomer,
  anAdjustment,
  api,
  aUnitPrice,
  check,
  expect,
  now,
  refused,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { DAY_MS, HOUR_MS, moved, yearAfter } from './shared/times.ts';
import { balance, grantOf, grantsOf } from './shared/wallets.ts';

check(
  'WAL-26',
  { requirement: 'R-WAL-38 R-WAL-46 R-WAL-55 R-WAL-58', effect: 'E3', assumes: 'A-704 A-707' },
  'a gift is a promotion that does not end; credit of each other reason is paid and ends a year after it becomes effective, now or later; a negative refund with an end to come or past takes paid credit, whose end stays',
  async () => {
    const customer = await aFreshCustomer();
    for (const reason of ['gift', 'external_topup', 'external_refund', 'other'] as const)
      for (const more of [{}, { effective_at: now(DAY_MS) }]) {
        await anAdjustment(customer, { reason, ...more });
        const { purpose, effective_at = '', expires_at } = (await grantOf(customer)) ?? {};

        expect([purpose, expires_at], reason).toEqual(
          reason === 'gift' ? ['promotion', null] : ['paid', yearAfter(effective_at)],
        );
      }
    const [payer, ends] = [await aFreshCustomer(), now(5 * DAY_MS)];
    await anAdjustment(payer, { amount: 9, reason: 'external_topup', expires_at: ends });
    for (const expires_at of [now(DAY_MS), now(-DAY_MS)])
      await anAdjustment(payer, { amount: -2, reason: 'external_refund', expires_at });

    // 9 - 2 - 2.
    expect(await grantsOf(payer)).toMatchObject([{ available: 5, expires_at: ends }]);
    expect(String(await balance(payer))).toBe('5');
  },
);

check(
  'WAL-33',
  { requirement: 'R-WAL-55', effect: 'E1', assumes: 'A-704' },
  'effective_at before, now and after with a negative amount of each reason, expires_at at or a millisecond before effective_at, also in other notations → 422, nothing changes; a millisecond after, and effective_at of null with a negative amount → accepted',
  async () => {
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { amount: 9 });
    const path = { customerId: customer.id };
    const [from, ended] = [now(DAY_MS), now(-DAY_MS)];
    const inZone = (at: string, hours: number) =>
      moved(at, hours * HOUR_MS).replace('Z', `${hours < 0 ? '-' : '+'}0${Math.abs(hours)}:00`);
    const shown = async () => [
      await api('getWalletAccount', { path: { ...path, accountId: 'default:USD' } }, 200),
      await grantsOf(customer),
    ];
    const before = await shown();
    const gift = { amount: 5, reason: 'gift' };
    for (const changes of [
      ...['external_topup', 'external_refund', 'gift', 'other'].flatMap((reason) =>
        [from, now(), ended].map((effective_at) => ({ amount: -5, reason, effective_at })),
      ),
      ...[from, moved(from, -1), now(HOUR_MS), inZone(from, 5), inZone(from, -5)].map(
        (expires_at) => ({ ...gift, effective_at: from, expires_at }),
      ),
      // Later as a text, but not as an instant.
      { ...gift, effective_at: inZone(from, -5), expires_at: moved(from, -1) },
      { ...gift, effective_at: from, expires_at: inZone(moved(from, -1), 5) },
      { ...gift, effective_at: now(-2 * DAY_MS), expires_at: ended },
    ])
      await refused('adjustWallet', { path, body: { ...adjustment(), ...changes } }, [422]);
    expect(await shown()).toEqual(before);

    for (const [effective_at, expires_at] of [
      [from, moved(from, 1)],
      [inZone(from, 5), moved(from, 1)],
      [ended, from],
      [undefined, from],
    ] as const) {
      const start = effective_at && { effective_at };
      await anAdjustment(customer, { amount: 5, ...start, expires_at });
      expect((await grantOf(customer))?.expires_at).toBe(expires_at);
    }
    await anAdjustment(customer, { amount: -2, effective_at: null, expires_at: null } as never);
    // 9 + 5 + 5 - 2; two credits of 5 begin tomorrow.
    expect((await shown())[0]).toMatchObject({ available: 17, pending_in: 10 });
  },
);

/** A moment of March 2027, a year before one with a 29 February in between. */
const at = (moment: string) => `2027-03-0${moment}.000Z`;

check(
  'WAL-73',
  {
    requirement: 'R-WAL-06 R-WAL-23 R-WAL-30 R-WAL-37 R-WAL-49 R-WAL-50 R-WAL-54',
    effect: 'E4',
    assumes: 'A-511 A-704 A-706 A-709',
    needs: 'clock.movable',
  },
  'credit of a plan, a gift, a top-up and one that begins later (its adjustment repeated then → the first response), usage, a charge, a debit and the end of credit → each has a transaction with its type, signed amount and times; exclude_expired=true leaves out what has ended at its end, not what is used up or to come; paid credit ends on the day a year later',
  async (t) => {
    const [noon, midnight, end] = [at('1T12:00:00'), at('2T00:00:00'), at('2T12:00:00')];
    const { call, path, until, ...customer } = await aCustomerWorld(t, noon);
    const included = { name: 'Included', asset: 'USD', amount: 10, purpose: 'promotion' };
    const plan = await customer.product({
      prices: [aUnitPrice('call', 4)],
      entitlements: [{ ...included, lifecycle: { duration: 'day' } }],
    });
    await customer.subscribe([plan]);
    await customer.adjust({ amount: 2, reason: 'gift', expires_at: midnight });
    const later = adjustment({ amount: 7, reason: 'gift', effective_at: at('1T18:00:00') });
    const receipt = await call('adjustWallet', { path, body: later });
    await customer.settle((await customer.topUp()).id);
    await customer.use();
    await customer.charge({ amount: 1 });
    await customer.adjust({ amount: -2, reason: 'other' });
    const query = { exclude_expired: true };
    const unended = async () => {
      const accountId = 'default:USD';
      const { items } = await call('listGrants', { path: { ...path, accountId }, query });
      return items.map((grant: Fields) => [grant['available'], grant['expires_at']]);
    };
    const [paid, gift] = [
      [20, '2028-03-01T12:00:00.000Z'],
      [7, null],
    ];

    // The usage takes the gift of 2 and 2 of the plan's 10, of which 5 are left in the end.
    expect(await unended()).toEqual([paid, [0, null], [0, midnight], [5, end]]);
    await until(midnight);
    expect(await call('adjustWallet', { path, body: later }), 'repeated').toEqual(receipt);
    expect(await unended()).toEqual([paid, gift, [5, end]]);
    await until(end);
    expect(await unended()).toEqual([paid, gift]);
    const { items } = await call('listLedgerTransactions', {});
    const shown = [];
    for (const { id: transactionId, source } of items.reverse()) {
      const found = await call('getWalletTransaction', { path: { ...path, transactionId } });
      const { id, type, account_id, asset, amount, created_at, executed_at } = found;
      expect([id, account_id, asset]).toEqual([transactionId, 'default:USD', 'USD']);
      shown.push([source, type, amount, created_at, executed_at]);
    }
    expect(shown).toEqual([
      ['entitlement', 'adjustment', 10, noon, noon],
      ['adjustment', 'adjustment', 2, noon, noon],
      ['top_up', 'adjustment', 20, noon, noon],
      ['usage', 'fee', -4, noon, noon],
      ['charge', 'fee', -1, noon, noon],
      ['adjustment', 'adjustment', -2, noon, noon],
      ['adjustment', 'adjustment', 7, noon, at('1T18:00:00')],
      ['expiry', 'adjustment', -5, end, end],
    ]);
  },
);
