import { aFixedPrice, aUnitPrice, check, describe, expect, uuid } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';

const REFRESH = { strategy: 'expire_and_replace' };
const MONTHLY = { ...ENTITLEMENT, lifecycle: { duration: 'month', refresh: REFRESH } };

describe('changes over months', () => {
  check(
    'SUB-62',
    {
      requirement: 'R-SUB-45',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-605',
      needs: 'clock.movable',
    },
    'renewal declined → waits for a payment, with the credit of the plan and a gift unchanged',
    async (t) => {
      const { until, subscribe, subscription, adjust, available, ends } = await aCustomerWorld(t);
      const id = await subscribe([aFixedPrice(10)], [ENTITLEMENT], true);
      await adjust({ amount: 7, reason: 'gift', expires_at: '2026-05-01T00:00:00.000Z' });
      await until('2026-04-01T12:00:00.000Z');

      expect((await subscription(id)).status).toBe('action_required');
      expect(await available()).toBe(12);
      // The gift, and the ten years of the plan's credit.
      expect([...(await ends())].sort()).toEqual([
        '2026-05-01T00:00:00.000Z',
        '2036-03-01T12:00:00.000Z',
      ]);
    },
  );

  check(
    'SUB-64',
    {
      requirement: 'R-PRD-55',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-511',
      needs: 'clock.movable',
    },
    'credit of two weeks, and of a month from 31 January → each grant ends as the next is given, after two weeks, and on the last day of shorter months',
    async (t) => {
      const { until, subscribe, ends } = await aCustomerWorld(t, '2026-01-31T12:00:00.000Z');
      const lifecycle = { duration: 'week', duration_count: 2, refresh: REFRESH };
      await subscribe([aUnitPrice('call')], [{ ...ENTITLEMENT, lifecycle }]);
      await subscribe([aUnitPrice('call')], [MONTHLY]);
      const sorted = async () => [...(await ends())].sort();

      expect(await sorted()).toEqual(['2026-02-14T12:00:00.000Z', '2026-02-28T12:00:00.000Z']);
      await until('2026-02-14T12:00:00.000Z');
      expect(await sorted()).toEqual(['2026-02-28T12:00:00.000Z', '2026-02-28T12:00:00.000Z']);
      await until('2026-02-28T12:00:00.000Z');
      expect(await sorted()).toEqual(['2026-03-14T12:00:00.000Z', '2026-03-31T12:00:00.000Z']);
      await until('2026-03-31T12:00:00.000Z');
      expect(await sorted()).toEqual(['2026-04-11T12:00:00.000Z', '2026-04-30T12:00:00.000Z']);
    },
  );

  check(
    'EVT-82',
    {
      requirement: ['R-EVT-07', 'R-WAL-34', 'R-WAL-35'],
      level: 'MUST',
      effect: 'E4',
      needs: 'clock.movable',
    },
    'event, adjustment and charge repeated after a day and after two months → billed once',
    async (t) => {
      const { call, path, until, subscribe, use, adjust, available } = await aCustomerWorld(t);
      await subscribe([aUnitPrice('call', 4)]);
      const [event, adjustment, charge] = [uuid(), uuid(), uuid()];
      const repeat = async () => {
        await call('submitEvents', {
          body: {
            customer_id: path.customerId,
            events: [
              { id: event, event_type: 'call', occurred_at: '2026-03-01T11:00:00.000Z', data: {} },
            ],
          },
        });
        await adjust({ transaction_id: adjustment, amount: 9, reason: 'gift' });
        const body = { transaction_id: charge, asset: 'USD', amount: 2 };
        await call('chargeWallet', { path, body });
      };
      await repeat();

      expect(await available()).toBe(7);
      for (const moment of ['2026-03-02T13:00:00.000Z', '2026-05-02T00:00:00.000Z']) {
        await until(moment);
        await repeat();
        expect(await available()).toBe(7);
      }
      await use();
      expect(await available()).toBe(3);
    },
  );

  check(
    'WAL-63',
    {
      requirement: ['R-WAL-34', 'R-WAL-35', 'R-WAL-39'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-707',
      needs: 'clock.movable',
    },
    'credit that has expired and a charge on it, repeated → the first response, no other movement; with another description → rejected',
    async (t) => {
      const { call, path, until, available } = await aCustomerWorld(t);
      const [credit, debit] = [
        { amount: 9, reason: 'gift', expires_at: '2026-03-10T00:00:00Z', description: 'Welcome' },
        { amount: 2, description: 'Set-up' },
      ].map((more) => ({ transaction_id: uuid(), asset: 'USD', ...more }));
      const send = async (more: object = {}) => [
        await call('adjustWallet', { path, body: { ...credit, ...more } }),
        await call('chargeWallet', { path, body: { ...debit, ...more } }),
      ];
      const first = await send();

      for (const [moment, left] of [
        ['2026-03-09T00:00:00.000Z', 7],
        ['2026-03-10T00:00:00.000Z', 0],
        ['2026-05-02T00:00:00.000Z', 0],
      ] as const) {
        await until(moment);
        expect(await send()).toEqual(first);
        expect(await available()).toBe(left);
        const other = { description: 'Other' };
        for (const [operation, body] of [
          ['adjustWallet', credit],
          ['chargeWallet', debit],
        ] as const)
          await expect(call(operation, { path, body: { ...body, ...other } })).rejects.toThrow(
            '422',
          );
      }
    },
  );

  check(
    'TOP-34',
    {
      requirement: 'R-POR-06',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1302',
      needs: 'clock.movable',
    },
    'automatic top-up of 10 below 5, when credit expires → one payment if nothing replaces the credit, none if it is refreshed at that instant',
    async (t) => {
      const alone = await aCustomerWorld(t);
      await alone.adjust({ amount: 9, reason: 'gift', expires_at: '2026-03-08T00:00:00Z' });
      await alone.topUpBelow5();
      await alone.until('2026-03-08T00:00:00.000Z');

      expect(await alone.available()).toBe(10);

      const replaced = await aCustomerWorld(t);
      await replaced.subscribe([aUnitPrice('call')], [{ ...MONTHLY, amount: 20 }]);
      await replaced.topUpBelow5();
      await replaced.until('2026-04-01T12:00:00.000Z');

      expect(await replaced.available()).toBe(20);
    },
  );

  check(
    'TOP-35',
    {
      requirement: 'R-POR-06',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1106',
      needs: 'clock.movable',
    },
    'automatic top-up by bank debit → pending for a day, during which a further fall starts no other; its credit ends a year after the money arrived',
    async (t) => {
      const { until, subscribe, adjust, topUpBelow5, use, available, ends } =
        await aCustomerWorld(t);
      await subscribe([aUnitPrice('call', 1)]);
      await adjust({ amount: 6, reason: 'gift', expires_at: '2026-05-01T00:00:00Z' });
      await topUpBelow5('bank_debit');
      await use();
      await use();

      expect(await available()).toBe(4);
      await until('2026-03-01T18:00:00.000Z');
      await use();
      expect(await available()).toBe(3);
      await until('2026-03-02T12:00:00.000Z');
      expect(await available()).toBe(13);
      await until('2026-03-04T12:00:00.000Z');
      expect(await available()).toBe(13);
      expect([...(await ends())].sort()).toEqual([
        '2026-05-01T00:00:00.000Z',
        '2027-03-02T12:00:00.000Z',
      ]);
    },
  );
});
