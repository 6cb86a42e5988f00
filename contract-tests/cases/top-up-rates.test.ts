import { ADDRESSES, check, describe, expect } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';

const [FEBRUARY, MARCH_2, MARCH_3, APRIL] = [
  '2026-02-01T00:00:00.000Z',
  '2026-03-02T12:00:00.000Z',
  '2026-03-03T12:00:00.000Z',
  '2026-04-01T00:00:00.000Z',
] as const;

describe('rates of top-ups', () => {
  check(
    'TOP-42',
    {
      requirement: 'R-TOP-15',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-403', 'A-1102'],
      needs: 'clock.movable',
    },
    'top-ups without an exchange_rate into assets without a rate, with one that has ended or not begun, with a gap, with one of another source or only of the opposite direction, and on both sides of an end and a start → 422 without a rate in force, and nothing is opened; else, and with an exchange_rate, the credit of the rate at initiation, also if it is paid after that rate has ended',
    async (t) => {
      const { call, path, until } = await aCustomerWorld(t);
      const rate = (assetCode: string, body: object) =>
        call('setAssetRate', { path: { assetCode }, body: { source: 'USD', ...body } });
      for (const code of ['NONE', 'ENDED', 'AHEAD', 'GAP', 'OTHER', 'COINS'])
        await call('createAsset', { body: { code, name: code, precision: 2 } });
      await rate('ENDED', { rate: 2, valid_from: FEBRUARY, valid_to: '2026-03-01T12:00:00.000Z' });
      await rate('AHEAD', { rate: 2, valid_from: '2026-03-01T12:00:00.001Z', valid_to: MARCH_2 });
      await rate('GAP', { rate: 2, valid_from: FEBRUARY });
      await rate('GAP', {
        rate: 4,
        valid_from: '2026-02-20T00:00:00Z',
        valid_to: '2026-02-21T00:00:00Z',
      });
      await rate('GAP', { rate: 8, valid_from: APRIL });
      await rate('OTHER', { rate: 2, source: 'EUR' });
      await rate('USD', { rate: 2, source: 'GBP' });
      await rate('COINS', { rate: 0.5, valid_to: MARCH_2 });
      await rate('COINS', { rate: 4, valid_from: MARCH_3 });
      const bought = { customer_id: path.customerId, amount: 6, currency: 'USD', ...ADDRESSES };
      const initiate = (destination: object) =>
        call('createTopUp', { body: { ...bought, destination } });
      const expectRefused = (asset: string) =>
        call('createTopUp', { body: { ...bought, destination: { asset } } }, [422]);
      const pay = ({ id }: { readonly id: string }) =>
        call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
      const wallet = async () =>
        (await call('getWallet', { path })).accounts.map(
          (account: { id: string; available: number }) => `${account.id} ${account.available}`,
        );

      for (const asset of ['NONE', 'ENDED', 'AHEAD', 'GAP', 'OTHER', 'GBP'])
        await expectRefused(asset);
      expect(await wallet()).toEqual([]);
      // 6 ÷ 3.
      await pay(await initiate({ asset: 'ENDED', exchange_rate: 3 }));
      expect(await wallet()).toEqual(['default:ENDED 2']);
      await until('2026-03-02T11:59:59.999Z');
      const early = await initiate({ asset: 'COINS' });
      expect(await wallet()).toContain('default:COINS 0');
      await until(MARCH_2);
      for (const asset of ['COINS', 'AHEAD', 'ENDED']) await expectRefused(asset);
      await until('2026-03-03T11:59:00.000Z');
      await expectRefused('COINS');
      // 6 ÷ 0.5, the rate that ended a day before.
      await pay(early);
      expect(await wallet()).toContain('default:COINS 12');
      await until(MARCH_3);
      const late = await initiate({ asset: 'COINS' });
      await rate('COINS', { rate: 1, valid_from: '2026-03-03T12:00:00.001Z' });
      await pay(late);
      // 6 ÷ 4.
      expect(await wallet()).toContain('default:COINS 13.5');
      await rate('ENDED', { rate: 2 });
      await pay(await initiate({ asset: 'ENDED' }));
      expect(await wallet()).toEqual(['default:ENDED 5', 'default:COINS 13.5']);
    },
  );
});
