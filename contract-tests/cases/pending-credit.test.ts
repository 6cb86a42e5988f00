import { ADDRESSES, type AnyBody, check, describe, expect, uuid } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { price } from './shared/events.ts';

const [SOON, DAY] = ['2026-03-01T14:00:00.000Z', '2026-03-02T12:00:00.000Z'];
const ACCOUNTS = ['default:COINS', 'default:USD', 'own:COINS'];

describe('usage beside pending credit', () => {
  check(
    'EVT-96',
    {
      requirement: ['R-EVT-58', 'R-WAL-53'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-509', 'A-704', 'A-710'],
      needs: 'clock.movable',
    },
    'price in two assets, with credit in the first that is not yet effective, of top-ups pending, unpaid and declined, and the same under another name → the pending ones alone are in pending_in of their own account, none is available or covers a fee, simulated or billed, until it arrives; then it does, as one grant each',
    async (t) => {
      const { call, path, until, adjust, subscribe, subscription, use } = await aCustomerWorld(t);
      const rates = [{ source: 'USD', rate: 1 }];
      await call('createAsset', { body: { code: 'COINS', name: 'Coins', precision: 2, rates } });
      const pricing = [
        { asset: 'COINS', values: [{ unit_price: 3 }] },
        { asset: 'USD', values: [{ unit_price: 2 }] },
      ];
      const id = await subscribe([{ ...price('call', 'unit', []), pricing }]);
      const [{ id: productId }] = (await subscription(id)).products;
      const topUp = async (amount: number, outcome?: string, account_name = 'default') => {
        const destination = { asset: 'COINS', account_name };
        const bought = { customer_id: path.customerId, amount, currency: 'USD', destination };
        const { id } = await call('createTopUp', { body: { ...bought, ...ADDRESSES } });
        if (outcome) await call('settlePayment', { path: { id }, body: { outcome } });
      };
      /** Expects available and pending_in of each of `ACCOUNTS`. */
      const expectHeld = async (...wanted: readonly [number, number][]) => {
        for (const [index, accountId] of ACCOUNTS.entries()) {
          const account = await call('getWalletAccount', { path: { ...path, accountId } });
          expect([account.available, account.pending_in], accountId).toEqual(wanted[index]);
        }
      };
      /** Expects the grants of the first account, newest first: what is left, and from when on. */
      const expectGrants = async (...wanted: readonly [number, string][]) => {
        const at = { path: { ...path, accountId: 'default:COINS' } };
        const { items, total_count } = await call('listGrants', at);
        const shown = items.map((one: AnyBody) => [one.available, one.effective_at]);
        expect([shown, total_count]).toEqual([wanted, wanted.length]);
      };
      const expectPaidIn = async (currency: 'COINS' | 'USD', left: string) => {
        const events = [{ id: uuid(), event_type: 'call', occurred_at: SOON, data: {} }];
        const body = { customer_id: path.customerId, events };
        const { fees } = await call('simulateUsage', { path: { productId, version: '1' }, body });
        await use();
        const [event] = (await call('listEvents', { query: { limit: 1 } })).items;
        expect([fees[0].currency, event.fee_currency], left).toEqual([currency, currency]);
      };

      await adjust({ reason: 'gift', effective_at: SOON, asset: 'COINS', amount: 10 });
      await adjust({ reason: 'gift', effective_at: SOON, amount: 8 });
      await topUp(12, 'processing');
      await topUp(5);
      await topUp(7, 'failed');
      await topUp(4, 'processing', 'own');
      await adjust({ reason: 'gift', amount: 2.5 });
      await expectHeld([0, 22], [2.5, 8], [0, 4]);
      // Money that has not arrived is no grant.
      await expectGrants([0, SOON]);
      await expectPaidIn('USD', '2.5 USD cover');
      await expectPaidIn('USD', '0.5 USD are positive');
      await expectPaidIn('COINS', 'neither is positive');
      await expectHeld([-3, 22], [-1.5, 8], [0, 4]);
      await until(SOON);
      // 10 - 3 and 8 - 1.5.
      await expectHeld([7, 12], [6.5, 0], [0, 4]);
      await expectPaidIn('COINS', '7 coins cover');
      await expectPaidIn('COINS', '4 coins cover');
      await expectPaidIn('USD', '1 coin does not cover, 6.5 USD do');
      await expectHeld([1, 12], [4.5, 0], [0, 4]);
      await until(DAY);
      await expectHeld([13, 0], [4.5, 0], [4, 0]);
      await expectGrants([12, DAY], [1, SOON]);
      await expectPaidIn('COINS', '13 coins cover');
    },
  );
});
