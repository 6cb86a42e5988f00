import {
  adjustment,
  aFreshAsset,
  aFreshCustomer,
  amount,
  anAdjustment,
  api,
  check,
  completePaymentPage,
  expect,
  uniqueSubject,
  usageEvent,
} from '../kit/index.ts';
import { quoteOf, setRate } from './shared/assets.ts';
import { aPayerOf, listed, stored, submit } from './shared/events.ts';
import { race } from './shared/races.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, charge } from './shared/wallets.ts';

const three = <T>(make: () => T): T[] => Array.from({ length: 3 }, make);

check(
  'WAL-64',
  { requirement: 'R-EVT-07 R-WAL-06', effect: 'E4' },
  'three charges, of which one repeats another, adjustments and batches of one customer sent together, with one event in every batch → the balance is their exact sum, each has its transaction or fee, and the shared event is billed once',
  () =>
    race({
      rounds: 2,
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
  { requirement: 'R-TOP-07 R-WAL-06', effect: 'E4', needs: 'payment.completable' },
  'two top-ups of one customer initiated together, then paid together with a charge in flight → each has its own id, link and amount; the balance is their exact sum, and both have succeeded',
  () =>
    race({
      async subject() {
        const customer = await aFreshCustomer();
        await anAdjustment(customer, { amount: 100 });
        const amounts = [20.5, 12.5];
        const topUps = await Promise.all(amounts.map((one) => initiate(customer, { amount: one })));
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

check(
  'TSK-22',
  { requirement: 'R-CONV-28 R-TSK-01', effect: 'E3' },
  'first events of several subjects sent together → a task each',
  () =>
    race({
      subject: () => aFreshCustomer(),
      together: (customer) =>
        [1, 2, 3, 4].map(async () => {
          const event = usageEvent('contract.race', { subject: uniqueSubject() });
          await submit(customer, event);
          return event;
        }),
      async holds({ id: customer_id }, events) {
        const { items } = await api('listTasks', { query: { customer_id } }, 200);
        const wanted = events.map(({ subject }) => `${customer_id}:${subject}`).sort();
        expect(items.map(({ id }) => id).sort(), 'tasks').toEqual(wanted);
      },
    }),
);

check(
  'AST-47',
  { requirement: 'R-AST-28 R-AST-29', effect: 'E3' },
  'quotes while a rate is added → each is that of the former or of the new rate, later ones of the new rate',
  () =>
    race({
      subject: async () => {
        const rates = [{ source: 'USD', rate: 2 }];
        const { code } = await aFreshAsset({ precision: 2, rates });
        return { code, former: await quoteOf(code, 10) };
      },
      rounds: 2,
      together({ code }) {
        const quotes = async () => {
          const seen = [];
          for (let count = 0; count < 5; count += 1) seen.push(await quoteOf(code, 10));
          return seen;
        };
        const set = async () => {
          await setRate(code, { rate: 4 });
          return [await quoteOf(code, 10)];
        };
        return [quotes(), set(), quotes(), quotes()];
      },
      async holds({ code, former }, [, after, ...others]) {
        const latest = await quoteOf(code, 10);
        expect([former.rate, latest.rate], 'rates').toEqual([2, 4]);
        expect(after, 'quote after the rate was set').toEqual([latest]);
        for (const seen of others.flat()) expect([former, latest]).toContainEqual(seen);
      },
    }),
);
