import {
  aFreshCustomer,
  anAdjustment,
  api,
  check,
  completePaymentPage,
  describe,
  expect,
} from '../kit/index.ts';
import { race } from './shared/races.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, charge } from './shared/wallets.ts';

describe('top-ups at the same time', () => {
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
