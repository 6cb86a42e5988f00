import { ADDRESSES, check, describe, expect, uuid } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { price } from './shared/events.ts';

const [SOON, DAY] = ['2026-03-01T14:00:00.000Z', '2026-03-02T12:00:00.000Z'];

describe('usage beside pending credit', () => {
  check(
    'EVT-96',
    {
      requirement: ['R-EVT-58', 'R-WAL-53'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-509', 'A-710'],
      needs: 'clock.movable',
    },
    'price in two assets, with credit in the first that is not yet effective, of top-ups pending, unpaid and declined, and the same under another name → the pending ones alone are in pending_in of their own account, none is available or covers a fee, simulated or billed, until it arrives; then it does',
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
      const billed = async (currency: 'COINS' | 'USD') => {
        const events = [{ id: uuid(), event_type: 'call', occurred_at: SOON, data: {} }];
        const body = { customer_id: path.customerId, events };
        const of = { productId, version: '1' };
        const { fees } = await call('simulateUsage', { path: of, body });
        await use();
        const [event] = (await call('listEvents', {})).items;
        expect([fees[0].currency, event.fee_currency]).toEqual([currency, currency]);
      };
      const topUp = async (amount: number, outcome?: string, account_name = 'default') => {
        const destination = { asset: 'COINS', account_name };
        const bought = { customer_id: path.customerId, amount, currency: 'USD', destination };
        const { id } = await call('createTopUp', { body: { ...bought, ...ADDRESSES } });
        if (outcome) await call('settlePayment', { path: { id }, body: { outcome } });
      };
      const held = async (accountId: string) => {
        const at = { path: { ...path, accountId } };
        const { available, pending_in, pending_out } = await call('getWalletAccount', at);
        const { accounts } = await call('getWallet', { path });
        const shown = accounts.find(({ id }: { id: string }) => id === accountId);
        expect([shown.available, pending_out]).toEqual([available, 0]);
        return [available, pending_in];
      };
      const all = async () => [
        ...(await held('default:COINS')),
        ...(await held('default:USD')),
        ...(await held('own:COINS')),
      ];
      const ahead = { reason: 'gift', effective_at: SOON };

      await adjust({ ...ahead, asset: 'COINS', amount: 10 });
      await adjust({ ...ahead, amount: 8 });
      await topUp(12, 'processing');
      await topUp(6, 'processing');
      await topUp(5);
      await topUp(7, 'failed');
      await topUp(4, 'processing', 'own');
      await adjust({ reason: 'gift', amount: 4.5 });
      expect(await all()).toEqual([0, 28, 4.5, 8, 0, 4]);
      for (const [currency, wanted] of [
        // USD alone covers.
        ['USD', [0, 28, 2.5, 8, 0, 4]],
        ['USD', [0, 28, 0.5, 8, 0, 4]],
        // USD alone is positive.
        ['USD', [0, 28, -1.5, 8, 0, 4]],
        // Neither is positive.
        ['COINS', [-3, 28, -1.5, 8, 0, 4]],
        ['COINS', [-6, 28, -1.5, 8, 0, 4]],
      ] as const) {
        await billed(currency);
        expect(await all()).toEqual(wanted);
      }
      await until(SOON);
      // 10 - 6 and 8 - 1.5.
      expect(await all()).toEqual([4, 18, 6.5, 0, 0, 4]);
      for (const [currency, wanted] of [
        // COINS cover.
        ['COINS', [1, 18, 6.5, 0, 0, 4]],
        // USD alone covers, three times.
        ['USD', [1, 18, 4.5, 0, 0, 4]],
        ['USD', [1, 18, 2.5, 0, 0, 4]],
        ['USD', [1, 18, 0.5, 0, 0, 4]],
        // Both are positive, and neither covers.
        ['COINS', [-2, 18, 0.5, 0, 0, 4]],
      ] as const) {
        await billed(currency);
        expect(await all()).toEqual(wanted);
      }
      await until(DAY);
      expect(await all()).toEqual([16, 0, 0.5, 0, 4, 0]);
      await billed('COINS');
      expect(await all()).toEqual([13, 0, 0.5, 0, 4, 0]);
    },
  );
});
