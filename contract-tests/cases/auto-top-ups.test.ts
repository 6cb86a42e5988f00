import { ADDRESSES, check, describe, expect, table, uuid } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';

const OPTIONS = {
  requirement: 'R-POR-06',
  level: 'ASSUMED',
  effect: 'E4',
  assumes: 'A-1106',
  needs: 'clock.movable',
} as const;

describe('an automatic top-up', () => {
  table(
    'TOP-44',
    OPTIONS,
    'automatic top-up of 10 below 5, turned on with a credit of 3, or of 6 of which some is charged then, while a bank debit is on its way → that counts by its amount',
    {
      'a bank debit of 4, which covers it': { credit: 3, pending: 4, taken: 0, later: 7 },
      'a bank debit of 1, which does not': { credit: 3, pending: 1, taken: 0, later: 14 },
      'one of 4, which covers a charge of 3': { credit: 6, pending: 4, taken: 3, later: 7 },
      'one of 4, which does not cover one of 6': { credit: 6, pending: 4, taken: 6, later: 14 },
    },
    async ({ credit, pending, taken, later }, t) => {
      const { call, path, until, adjust, topUpBelow5, available } = await aCustomerWorld(t);
      const bought = { customer_id: path.customerId, amount: pending, currency: 'USD' };
      await adjust({ amount: credit, reason: 'gift' });
      const { id } = await call('createTopUp', { body: { ...bought, ...ADDRESSES } });
      await call('settlePayment', { path: { id }, body: { outcome: 'processing' } });
      await topUpBelow5('bank_debit');
      const charge = { transaction_id: uuid(), asset: 'USD', amount: taken };
      if (taken > 0) await call('chargeWallet', { path, body: charge });
      await until('2026-03-03T12:00:00.000Z');

      expect(await available(), 'available, once the bank debits have arrived').toBe(later);
    },
  );

  check(
    'TOP-45',
    { ...OPTIONS, assumes: ['A-1106', 'A-1105', 'A-1102'] },
    'automatic top-up of 10 USD below 5 points, whose rate has ended when they fall to 4 → none, and one asked for is rejected; once there is a rate again, one payment, and none for further charges below',
    async (t) => {
      const { call, path, until, adjust, available } = await aCustomerWorld(t);
      const points = { code: 'POINT', name: 'Points', rates: [{ source: 'USD', rate: 5 }] };
      await call('createAsset', { body: points });
      const setRate = (body: object) =>
        call('setAssetRate', { path: { assetCode: 'POINT' }, body: { source: 'USD', ...body } });
      const charge = (amount: number) =>
        call('chargeWallet', {
          path,
          body: { transaction_id: uuid(), asset: 'POINT', amount },
        });
      await adjust({ asset: 'POINT', amount: 7, reason: 'gift' });
      await call('setPaymentMethod', { path, body: { kind: 'card' } });
      await call('setAutoTopUp', {
        path: { ...path, accountId: 'default:POINT' },
        body: { threshold: 5, amount: 10, currency: 'USD' },
      });
      await setRate({ rate: 5, valid_to: '2026-03-02T12:00:00Z' });
      await until('2026-03-03T12:00:00.000Z');
      const bought = { customer_id: path.customerId, amount: 10, currency: 'USD' };
      const asked = { ...bought, ...ADDRESSES, destination: { asset: 'POINT' } };
      await call('createTopUp', { body: asked }, [422]);
      await charge(3);
      expect(await available(), 'available, without a rate').toBe(4);

      // 10 USD buy 2 points.
      await setRate({ rate: 5 });
      expect(await available(), 'available, with a rate again').toBe(6);
      await charge(3);
      expect(await available(), 'available after the next fall').toBe(5);
    },
  );
});
