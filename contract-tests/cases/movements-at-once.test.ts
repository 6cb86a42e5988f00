import {
  adjustment,
  aFreshCustomer,
  amount,
  anAdjustment,
  api,
  check,
  completePaymentPage,
  describe,
  expect,
  usageEvent,
} from '../kit/index.ts';
import { aPayerOf, listed, stored, submit } from './shared/events.ts';
import { race } from './shared/races.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, charge } from './shared/wallets.ts';

describe('movements of one wallet at the same time', () => {
  const three = <T>(make: () => T): T[] => Array.from({ length: 3 }, make);

  check(
    'WAL-64',
    { requirement: ['R-EVT-07', 'R-WAL-06'], level: 'IMPLIED', effect: 'E4' },
    'three charges, of which one repeats another, adjustments and batches of one customer sent together, with one event in every batch → the balance is their exact sum, each has its transaction or fee, and the shared event is billed once',
    () =>
      race({
        async subject() {
          const payer = await aPayerOf('unit', [{ unit_price: 1 }]);
          await anAdjustment(payer.customer, { amount: 100 });
          const [one, repeated] = [charge({ amount: 1.5 }), charge({ amount: 1.5 })];
          const moved = {
            chargeWallet: [one, repeated, repeated],
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
          // 100 - 2 events - 2 × 1.5 + 3 × 10.25.
          expect(String(await balance(customer))).toBe('125.75');
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
