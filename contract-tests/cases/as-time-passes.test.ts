import { assuming, aUnitPrice, check, describe, expect, uuid } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';

const OPTIONS = { effect: 'E4', needs: 'clock.movable' } as const;

describe('credit as time passes', () => {
  check(
    'EVT-82',
    { requirement: ['R-EVT-07', 'R-WAL-34', 'R-WAL-35', 'R-WAL-39'], level: 'MUST', ...OPTIONS },
    'event, adjustment and charge repeated after a day, after the credit has ended and after two months → the first response, billed once; with another description → rejected',
    async (t) => {
      const { call, path, until, subscribe, use, available } = await aCustomerWorld(t);
      await subscribe([aUnitPrice('call', 4)]);
      const occurred_at = '2026-03-01T12:00:00.000Z';
      const event = { id: uuid(), event_type: 'call', occurred_at, data: {} };
      const credit = {
        ...{ transaction_id: uuid(), asset: 'USD', amount: 19, reason: 'gift' },
        ...{ expires_at: '2026-03-10T00:00:00Z', description: 'Welcome' },
      };
      const debit = { transaction_id: uuid(), asset: 'USD', amount: 2, description: 'Set-up' };
      const send = async () => [
        await call('adjustWallet', { path, body: credit }),
        await call('chargeWallet', { path, body: debit }),
        await call('submitEvents', { body: { customer_id: path.customerId, events: [event] } }),
      ];
      const first = await send();

      // 19 − 4 − 2
      expect(await available()).toBe(13);
      for (const [moment, left] of [
        ['2026-03-02T13:00:00.000Z', 13],
        ['2026-03-10T00:00:00.000Z', 0],
        ['2026-05-02T00:00:00.000Z', 0],
      ] as const) {
        await until(moment);
        expect(await send(), `repeated at ${moment}`).toEqual(first);
        expect(await available(), moment).toBe(left);
        await assuming('A-707', async () => {
          const description = 'Other';
          await call('adjustWallet', { path, body: { ...credit, description } }, [422]);
          await call('chargeWallet', { path, body: { ...debit, description } }, [422]);
        });
      }
      await use();
      expect(await available(), 'after another event').toBe(-4);
    },
  );
});
