import {
  adjustment,
  aFreshCustomer,
  anAdjustment,
  api,
  call,
  check,
  describe,
  expect,
  now,
  uniqueSubject,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { DAY_MS, moved } from './shared/times.ts';
import { balance, charge, grantsOf } from './shared/wallets.ts';

describe('getWalletTransaction', () => {
  check(
    'WAL-47',
    {
      requirement: ['R-WAL-39', 'R-WAL-50'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-709', 'A-707'],
    },
    'credit of each reason, a negative refund, a charge by amount and one with its parts → complete transactions: type, account, signed amount, executed_at; a repeat returns the first response',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const parts = { amount: 1.5, input_units: 3, unit_price: 0.5 };
      const movements = [
        ...(['gift', 'external_topup', 'external_refund', 'other'] as const).map(
          (reason) => ['adjustWallet', adjustment({ reason, amount: 5 }), 5] as const,
        ),
        ['adjustWallet', adjustment({ reason: 'external_refund', amount: -2 }), -2] as const,
        [
          'chargeWallet',
          charge({ subject: uniqueSubject(), description: 'Set-up' }),
          -1.5,
        ] as const,
        ['chargeWallet', charge({ ...parts, metadata: { invoice: '7' } }), -1.5] as const,
      ];
      for (const [operation, body, moved] of movements) {
        const before = now(-60_000);
        const first = await call(operation, { path, body }, [201]);
        const { transaction_id, description, metadata } = body as Fields as Record<string, string>;
        const of = { ...path, transactionId: transaction_id as string };
        const { created_at, executed_at, ...shown } = await api(
          'getWalletTransaction',
          { path: of },
          200,
        );

        expect(shown).toEqual({
          id: transaction_id,
          type: operation === 'chargeWallet' ? 'fee' : 'adjustment',
          account_id: 'default:USD',
          asset: 'USD',
          amount: moved,
          ...(description && { description }),
          ...(metadata && { metadata }),
        });
        expect(Date.parse(created_at)).toBeGreaterThan(Date.parse(before));
        expect(executed_at).toBe(created_at);
        expect((await call(operation, { path, body }, [201])).body).toEqual(first.body);
      }
      // 4 × 5 - 2 - 1.5 - 1.5.
      expect(String(await balance(customer))).toBe('15');
    },
  );
});

describe('start and end of credit', () => {
  check(
    'WAL-49',
    {
      requirement: ['R-WAL-24', 'R-WAL-25', 'R-WAL-56'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-704',
    },
    'credit with effective_at in the past, a millisecond apart, and ends as close → shown as sent, and filtered by each bound to the millisecond',
    async () => {
      const customer = await aFreshCustomer();
      const [start, end] = [now(-DAY_MS), now(DAY_MS)];
      for (const by of [-1, 0, 1])
        await anAdjustment(customer, {
          amount: 5 + by,
          effective_at: moved(start, by),
          expires_at: moved(end, -by),
        });
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const found = async (query: object) => {
        const { items } = await api('listGrants', { path, query }, 200);
        return items.map(({ available }) => available).sort();
      };
      const shown = (await grantsOf(customer)).map((grant) => [
        grant.available,
        grant.effective_at,
        grant.expires_at,
      ]);

      expect(shown.sort()).toEqual(
        [-1, 0, 1].map((by) => [5 + by, moved(start, by), moved(end, -by)]),
      );
      for (const [query, wanted] of [
        [{ effective_from: start }, [5, 6]],
        [{ effective_from: moved(start, 1) }, [6]],
        [{ effective_to: start }, [4, 5]],
        [{ effective_to: moved(start, -1) }, [4]],
        [{ effective_from: start, effective_to: start }, [5]],
        [{ expired_from: end }, [4, 5]],
        [{ expired_to: end }, [5, 6]],
        [{ effective_from: start, expired_from: end }, [5]],
        [{ effective_from: moved(start, 2) }, []],
        [{ expired_to: moved(end, -2) }, []],
      ] as const)
        expect(await found(query), JSON.stringify(query)).toEqual(wanted);
    },
  );
});

describe('order in which credit is drawn', () => {
  check(
    'WAL-50',
    {
      requirement: ['R-WAL-47', 'R-WAL-48', 'R-WAL-58'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-705',
    },
    'a gift and paid credit, each with and without an end, drawn by charges and negative adjustments → in the order of priority, purpose and end; a negative refund draws paid credit first',
    async () => {
      const given = [
        { reason: 'external_topup', amount: 10 },
        { reason: 'gift', amount: 20 },
        { reason: 'external_topup', amount: 30, expires_at: now(DAY_MS) },
        { reason: 'gift', amount: 40, expires_at: now(DAY_MS) },
      ] as const;
      const taken = [
        [charge({ amount: 1 }), [10, 20, 30, 39]],
        [adjustment({ amount: -1, reason: 'gift' }), [10, 20, 30, 39]],
        [adjustment({ amount: -1, reason: 'other' }), [10, 20, 30, 39]],
        [adjustment({ amount: -1, reason: 'external_refund' }), [10, 20, 29, 40]],
        [adjustment({ amount: -35, reason: 'external_refund' }), [5, 20, 0, 40]],
        [charge({ amount: 45 }), [10, 15, 30, 0]],
        [charge({ amount: 85 }), [10, 0, 5, 0]],
        [charge({ amount: 110 }), [0, 0, 0, 0]],
      ] as const;
      for (const [body, left] of taken) {
        const customer = await aFreshCustomer();
        for (const credit of given) await anAdjustment(customer, credit);
        const ids = (await grantsOf(customer)).map(({ id }) => id).reverse();
        const operation = 'reason' in body ? 'adjustWallet' : 'chargeWallet';
        await call(operation, { path: { customerId: customer.id }, body }, [201]);
        const after = new Map((await grantsOf(customer)).map((one) => [one.id, one.available]));

        expect(
          ids.map((id) => after.get(id)),
          JSON.stringify(body),
        ).toEqual(left);
      }
    },
  );
});

describe('repayment of debt by credit', () => {
  check(
    'WAL-55',
    { requirement: 'R-WAL-52', level: 'ASSUMED', effect: 'E4', assumes: 'A-705' },
    'credit smaller than the debt leaves nothing to draw; of the next, only what exceeds the debt is left',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await call('chargeWallet', { path, body: charge({ amount: 10 }) }, [201]);
      const left = async (amount: number) => {
        await anAdjustment(customer, { amount });
        const available = (await grantsOf(customer)).map((grant) => grant.available);
        return [String(await balance(customer)), available];
      };

      expect(await left(4)).toEqual(['-6', [0]]);
      expect(await left(9)).toEqual(['3', [3, 0]]);
      expect(await left(2)).toEqual(['5', [2, 3, 0]]);
    },
  );
});
