import {
  adjustment,
  aFreshAsset,
  aFreshCustomer,
  amount,
  anAdjustment,
  api,
  call,
  check,
  completePaymentPage,
  describe,
  expect,
  lexeme,
  now,
  table,
  usageEvent,
} from '../kit/index.ts';
import { aPayerOf, listed, stored, submit } from './shared/events.ts';
import type { Fields } from './shared/fields.ts';
import { race } from './shared/races.ts';
import { DAY_MS } from './shared/times.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, charge, grantsOf } from './shared/wallets.ts';

describe('getWalletTransaction', () => {
  const paid = { amount: 5, reason: 'external_topup' } as const;

  table<readonly [operation: 'adjustWallet' | 'chargeWallet', body: Fields, moved: number]>(
    'WAL-47',
    {
      requirement: ['R-WAL-39', 'R-WAL-50'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-709', 'A-707'],
    },
    'credit, a negative refund, a charge by amount and one with its parts → complete transactions: type, account, signed amount, executed_at; a repeat returns the first response',
    {
      'a gift': ['adjustWallet', { ...paid, reason: 'gift' }, 5],
      'credit of another account': ['adjustWallet', { ...paid, account_name: 'own' }, 5],
      'a refund': ['adjustWallet', { reason: 'external_refund', amount: -2 }, -2],
      // The whole amount, although a part of it goes into debt.
      'a charge beyond the credit': ['chargeWallet', { amount: 7, description: 'Set-up' }, -7],
      'a charge of an account not there yet': [
        'chargeWallet',
        { account_name: 'new', subject: 'set-up' },
        -1.5,
      ],
      'a charge with parts': [
        'chargeWallet',
        { amount: 1.5, input_units: 3, unit_price: 0.5, metadata: { invoice: '7' } },
        -1.5,
      ],
    },
    async ([operation, changes, moved]) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await anAdjustment(customer, paid);
      const isCharge = operation === 'chargeWallet';
      const body: Fields = isCharge ? charge(changes) : adjustment(changes);
      const before = now(-60_000);
      const first = await call(operation, { path, body }, [201]);
      const { transaction_id, account_name = 'default', description, metadata } = body;
      const of = { ...path, transactionId: String(transaction_id) };
      const { created_at, executed_at, ...shown } = await api(
        'getWalletTransaction',
        { path: of },
        200,
      );

      expect(shown).toEqual({
        ...{ id: transaction_id, type: isCharge ? 'fee' : 'adjustment' },
        ...{ account_id: `${account_name}:USD`, asset: 'USD', amount: moved },
        ...(description !== undefined && { description }),
        ...(metadata !== undefined && { metadata }),
      });
      expect(Date.parse(created_at)).toBeGreaterThan(Date.parse(before));
      expect(executed_at).toBe(created_at);
      expect((await call(operation, { path, body }, [201])).body).toEqual(first.body);
      const left = (account_name === 'default' ? 5 : 0) + moved;
      expect(String(await balance(customer, `${account_name}:USD`))).toBe(`${left}`);
    },
  );
});

/** What is given to a customer and taken again, step by step. */
interface Draws {
  /** Positive adjustments, in order. */
  readonly given: readonly Fields[];
  /** Each charge or adjustment, and what is then left of each credit in the order in which it was given. */
  readonly taken: readonly (readonly [body: Fields, left: readonly number[]])[];
}

describe('order in which credit is drawn', () => {
  const four = () => [
    { reason: 'external_topup', amount: 10 },
    { reason: 'gift', amount: 20 },
    { reason: 'external_topup', amount: 30, expires_at: now(DAY_MS) },
    { reason: 'gift', amount: 40, expires_at: now(DAY_MS) },
  ];
  const takes = (amount: number) => charge({ amount });
  const moves = (reason: string, amount: number) => adjustment({ reason, amount } as never);

  table<() => Draws>(
    'WAL-50',
    {
      requirement: ['R-WAL-47', 'R-WAL-48', 'R-WAL-52', 'R-WAL-56', 'R-WAL-58'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-704', 'A-705'],
    },
    'credit is drawn by purpose, end and start; a negative refund draws paid credit first; credit repays debt first',
    {
      'charges: gifts before paid credit, what ends before what does not': () => ({
        given: four(),
        taken: [
          [takes(1), [10, 20, 30, 39]],
          [takes(45), [10, 14, 30, 0]],
          [takes(40), [10, 0, 4, 0]],
          [takes(14), [0, 0, 0, 0]],
        ],
      }),
      'negative adjustments: a refund draws paid credit first': () => ({
        given: four(),
        taken: [
          [moves('gift', -1), [10, 20, 30, 39]],
          [moves('other', -1), [10, 20, 30, 38]],
          [moves('external_refund', -1), [10, 20, 29, 38]],
          [moves('external_refund', -34), [5, 20, 0, 38]],
          [moves('external_refund', -10), [0, 20, 0, 33]],
        ],
      }),
      'credit with an earlier start before that given first': () => ({
        given: [
          { reason: 'external_topup', amount: 10 },
          { reason: 'external_topup', amount: 10, effective_at: now(-DAY_MS) },
        ],
        taken: [[takes(4), [10, 6]]],
      }),
      'credit that repays a debt of 10': () => ({
        given: [],
        taken: [
          [takes(10), []],
          [moves('external_topup', 4), [0]],
          [moves('external_topup', 9), [0, 3]],
          [moves('external_topup', 2), [0, 3, 2]],
        ],
      }),
    },
    async (drawsOf) => {
      const { given, taken } = drawsOf();
      const customer = await aFreshCustomer();
      for (const credit of given) await anAdjustment(customer, credit as never);
      const open = given.length > 0 ? await grantsOf(customer) : [];
      let ids = open.map(({ id }) => id).reverse();
      let total = given.reduce((sum, { amount: one }) => sum + Number(one), 0);
      for (const [body, left] of taken) {
        const operation = 'reason' in body ? 'adjustWallet' : 'chargeWallet';
        await call(operation, { path: { customerId: customer.id }, body }, [201]);
        total += Number(body['amount']) * (operation === 'adjustWallet' ? 1 : -1);
        const after = new Map((await grantsOf(customer)).map((one) => [one.id, one.available]));
        ids = [...ids, ...[...after.keys()].filter((id) => !ids.includes(id))];

        expect(
          ids.map((id) => after.get(id)),
          JSON.stringify(body),
        ).toEqual(left);
        expect(String(await balance(customer)), JSON.stringify(body)).toBe(`${total}`);
      }
    },
  );
});

/** A charge by parts in an asset with as many decimals: its sum, and sums next to it, which are rejected. */
type Sum = readonly [
  decimals: number | 'USD',
  parts: Fields,
  sum: string,
  others: readonly number[],
];

const volume = (input_volume: number, volume_rate: number, package_size?: number) => ({
  ...{ input_volume, volume_rate },
  ...(package_size !== undefined && { package_size }),
});

describe('charges by parts', () => {
  table<Sum>(
    'WAL-65',
    {
      requirement: ['R-WAL-41', 'R-WAL-59'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-304', 'A-708'],
    },
    'charges whose parts, or whose quotient, are between two amounts of the asset → the exact sum, rounded once, half to even, to the last of no to ten decimals; no amount next to it',
    {
      'a half, to 0': [0, { unit_price: 1, input_units: 0.5 }, '0', [1]],
      'three halves, to 2': [0, { unit_price: 1, input_units: 1.5 }, '2', [1]],
      'a third': [0, volume(1, 1, 3), '0', [1]],
      'two thirds': [0, volume(2, 1, 3), '1', [0, 2]],
      // Each part alone is rounded to 0.
      'two halves': [0, { unit_price: 0.5, ...volume(1, 0.5) }, '1', [0, 2]],
      // Each part alone is rounded to 2.
      'twice one and a half': [0, { unit_price: 1.5, ...volume(3, 0.5) }, '3', [2, 4]],
      // More than a half; a third cut to ten decimals makes exactly a half.
      'a little more than a half': [0, { unit_price: 0.1666666667, ...volume(1, 1, 3) }, '1', [0]],
      'a millionth more than a half': [
        0,
        { unit_price: 1, input_units: 0.5, ...volume(1, 1, 1e6) },
        '1',
        [0],
      ],
      'a millionth less than a half': [0, volume(499999, 1, 1e6), '0', [1]],
      // 0.0049 + 0.0001 × 2 / 2 is a half, to the even 0; each part alone is rounded to 0 too.
      'a half of a cent': [2, { unit_price: 0.0049, ...volume(2, 0.0001, 2) }, '0', [0.01]],
      // Each part alone is rounded to 0.02.
      'two cents and two halves': [2, { unit_price: 0.015, ...volume(3, 0.005) }, '0.03', [0.04]],
      'as large as fifteen digits allow': [
        ...([10, { unit_price: 9876, ...volume(1, 1e-10) }, '9876.0000000001'] as const),
        [9876, 9876.0000000002],
      ],
      // A seventh cut to ten decimals makes less than 1.
      'seven sevenths': [10, { unit_price: 0.004, ...volume(7, 1, 7) }, '1.004', [1.0039999999]],
      // 1.5 of the last decimal, to 2.
      'half of the tenth decimal': [
        ...([10, { unit_price: 1e-10, ...volume(1, 1e-10, 2) }, '0.0000000002'] as const),
        [1e-10],
      ],
      // 0.5 of the last decimal, to 0; a currency has ten decimals here.
      'half of the tenth decimal of a currency': [
        'USD',
        { unit_price: 1e-10, input_units: 0.5 },
        '0',
        [1e-10],
      ],
    },
    async ([decimals, parts, sum, others]) => {
      const customer = await aFreshCustomer();
      const isCurrency = decimals === 'USD';
      const asset = isCurrency ? decimals : (await aFreshAsset({ precision: decimals })).code;
      const path = { customerId: customer.id };
      for (const other of others) {
        const body = charge({ asset, ...parts, amount: other });
        const { status } = await call('chargeWallet', { path, body }, [201, 422]);
        expect(status, `amount ${other}`).toBe(422);
      }
      const body = charge({ asset, ...parts, amount: Number(sum) });
      const { status } = await call('chargeWallet', { path, body }, [201, 422]);
      expect(status, `amount ${sum}`).toBe(201);
      const of = { ...path, transactionId: body.transaction_id };
      const shown = lexeme(await api('getWalletTransaction', { path: of }, 200), 'amount');
      expect(shown.replace('-', '')).toBe(sum);
    },
  );
});

describe('movements of one wallet at the same time', () => {
  const three = <T>(make: () => T): T[] => Array.from({ length: 3 }, make);

  check(
    'WAL-64',
    { requirement: ['R-EVT-07', 'R-WAL-06'], level: 'IMPLIED', effect: 'E4' },
    'three charges, adjustments and batches of one customer sent together, with one event in every batch → the balance is their exact sum, each has its transaction or fee, and the shared event is billed once',
    () =>
      race({
        async subject() {
          const payer = await aPayerOf('unit', [{ unit_price: 1 }]);
          await anAdjustment(payer.customer, { amount: 100 });
          const moved = {
            chargeWallet: three(() => charge({ amount: 1.5 })),
            adjustWallet: three(() => adjustment({ amount: 10.25 })),
          };
          return { ...payer, moved, shared: usageEvent(payer.eventType) };
        },
        together({ customer, eventType, moved, shared }): Promise<unknown>[] {
          const path = { customerId: customer.id };
          return [0, 1, 2].flatMap((place) => [
            submit(customer, ...(place === 1 ? [usageEvent(eventType), shared] : [shared])),
            api('chargeWallet', { path, body: moved.chargeWallet[place] as never }, 201),
            api('adjustWallet', { path, body: moved.adjustWallet[place] as never }, 201),
          ]);
        },
        async holds({ customer, moved, shared }) {
          // 100 - 2 events - 3 × 1.5 + 3 × 10.25.
          expect(String(await balance(customer))).toBe('124.25');
          for (const [bodies, sum] of [
            [moved.chargeWallet, '-1.5'],
            [moved.adjustWallet, '10.25'],
          ] as const)
            for (const { transaction_id: transactionId } of bodies) {
              const path = { customerId: customer.id, transactionId };
              const transaction = await api('getWalletTransaction', { path }, 200);
              expect(String(amount(transaction, 'amount')), 'amount of a transaction').toBe(sum);
            }
          expect((await listed({ customer_id: customer.id })).length, 'events').toBe(2);
          expect((await stored(shared.id)).fees.length, 'fees of the shared event').toBe(1);
        },
      }),
  );

  check(
    'TOP-40',
    {
      requirement: ['R-TOP-07', 'R-WAL-06'],
      level: 'IMPLIED',
      effect: 'E4',
      needs: 'payment.completable',
    },
    'two top-ups of one customer initiated together, then paid together with a charge in flight → each has its own id, link and amount; the balance is their exact sum, and both have succeeded',
    () =>
      race({
        async subject() {
          const customer = await aFreshCustomer();
          await anAdjustment(customer, { amount: 100 });
          const amounts = [20.5, 12.5];
          const topUps = await Promise.all(
            amounts.map((one) => initiate(customer, { amount: one })),
          );
          return { customer, topUps, amounts };
        },
        together: ({ customer: { id }, topUps }): Promise<unknown>[] => [
          ...topUps.map(({ redirect_url }) => completePaymentPage(redirect_url, 'paid')),
          api('chargeWallet', { path: { customerId: id }, body: charge() }, 201),
        ],
        async holds({ customer, topUps, amounts }) {
          expect(String(await balance(customer))).toBe('131.5');
          expect(new Set(topUps.map(({ redirect_url }) => redirect_url)).size, 'links').toBe(2);
          const found = [];
          for (const { id } of topUps) {
            const topUp = await api('getTopUp', { path: { topUpId: id } }, 200);
            expect(topUp).toMatchObject({ id, customer_id: customer.id, status: 'succeeded' });
            found.push(topUp.amount);
          }
          expect(found).toEqual(amounts);
        },
      }),
  );
});
