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
  type OwnObject,
  usageEvent,
} from '../kit/index.ts';
import { aPayerOf, listed, stored, submit } from './shared/events.ts';
import { race } from './shared/races.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, charge } from './shared/wallets.ts';

/** A customer with 100 USD who pays 1 USD for each event. */
async function aRichPayer() {
  const payer = await aPayerOf('unit', [{ unit_price: 1 }]);
  await anAdjustment(payer.customer, { amount: 100 });
  return payer;
}

const four = <T>(make: () => T): T[] => Array.from({ length: 4 }, make);

async function expectMoved({ id }: OwnObject, ids: readonly string[], sum: string): Promise<void> {
  for (const transactionId of ids) {
    const path = { customerId: id, transactionId };
    const transaction = await api('getWalletTransaction', { path }, 200);
    expect(String(amount(transaction, 'amount'))).toBe(sum);
  }
}

describe('movements of one wallet at the same time', () => {
  check(
    'EVT-86',
    { requirement: 'R-EVT-07', level: 'MUST', effect: 'E3' },
    'one event in three batches sent together, each with an event of its own → it is stored and billed once, as are the others',
    () =>
      race({
        subject: aRichPayer,
        together({ customer, eventType }) {
          const shared = usageEvent(eventType);
          return ['before', 'after', 'before'].map(async (place) => {
            const own = usageEvent(eventType);
            await submit(customer, ...(place === 'before' ? [shared, own] : [own, shared]));
            return [shared.id, own.id];
          });
        },
        async holds({ customer }, sent) {
          const ids = [...new Set(sent.flat())].sort();
          const found = (await listed({ customer_id: customer.id })).map(({ id }) => id);
          expect(found.sort()).toEqual(ids);
          for (const id of ids) expect((await stored(id)).fees).toHaveLength(1);
          expect(String(await balance(customer))).toBe('96');
        },
      }),
  );

  check(
    'WAL-64',
    { requirement: 'R-WAL-06', level: 'IMPLIED', effect: 'E4' },
    'four events, charges and adjustments of one customer sent together → the balance is their exact sum, and each has its transaction or its fee',
    () =>
      race({
        subject: async () => ({
          ...(await aRichPayer()),
          charges: four(() => charge({ amount: 1.5 })),
          adjustments: four(() => adjustment({ amount: 10.25 })),
        }),
        together({ customer, eventType, charges, adjustments }): Promise<unknown>[] {
          const path = { customerId: customer.id };
          return [0, 1, 2, 3].flatMap((place) => [
            submit(customer, usageEvent(eventType)),
            api('chargeWallet', { path, body: charges[place] as never }, 201),
            api('adjustWallet', { path, body: adjustments[place] as never }, 201),
          ]);
        },
        async holds({ customer, charges, adjustments }) {
          expect(String(await balance(customer))).toBe('131');
          const idsOf = (sent: typeof charges) => sent.map((each) => each.transaction_id);
          await expectMoved(customer, idsOf(charges), '-1.5');
          await expectMoved(customer, idsOf(adjustments as typeof charges), '10.25');
          const events = await listed({ customer_id: customer.id });
          expect(events.map(({ has_fees }) => has_fees)).toEqual([true, true, true, true]);
        },
      }),
  );
});

describe('top-ups at the same time', () => {
  const AMOUNTS = [10, 20.5, 30.25, 40];

  check(
    'TOP-39',
    { requirement: 'R-TOP-07', level: 'MUST', effect: 'E4' },
    'four top-ups of one customer initiated together with different amounts → ids and links that differ, each with its own amount',
    () =>
      race({
        subject: () => aFreshCustomer(),
        together: (customer) => AMOUNTS.map((each) => initiate(customer, { amount: each })),
        async holds({ id: customer_id }, made) {
          expect(new Set(made.map(({ id }) => id)).size).toBe(4);
          expect(new Set(made.map(({ redirect_url }) => redirect_url)).size).toBe(4);
          for (const [place, { id }] of made.entries()) {
            const found = await api('getTopUp', { path: { topUpId: id } }, 200);
            expect(found).toMatchObject({ id, customer_id, amount: AMOUNTS[place] });
          }
        },
      }),
  );

  check(
    'TOP-40',
    { requirement: 'R-WAL-06', level: 'IMPLIED', effect: 'E4', needs: 'payment.completable' },
    'two top-ups of one customer paid together, with a charge in flight → the balance is their exact sum, and both have succeeded',
    () =>
      race({
        subject: async () => {
          const customer = await aFreshCustomer();
          await anAdjustment(customer, { amount: 100 });
          const topUps = [await initiate(customer, { amount: 20.5 }), await initiate(customer)];
          return { customer, topUps };
        },
        together: ({ customer: { id }, topUps }): Promise<unknown>[] => [
          ...topUps.map(({ redirect_url }) => completePaymentPage(redirect_url, 'paid')),
          api('chargeWallet', { path: { customerId: id }, body: charge() }, 201),
        ],
        async holds({ customer, topUps }) {
          expect(String(await balance(customer))).toBe('131.5');
          for (const { id } of topUps) {
            const { status } = await api('getTopUp', { path: { topUpId: id } }, 200);
            expect(status).toBe('succeeded');
          }
        },
      }),
  );
});
