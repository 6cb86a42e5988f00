import {
  adjustment,
  aFreshCustomer,
  aheadOf,
  anAdjustment,
  api,
  call,
  check,
  describe,
  eventually,
  expect,
  type OwnObject,
  refused,
} from '../kit/index.ts';
import { balance, charge } from './shared/wallets.ts';

/** An id as given, in upper case and in mixed case. */
const spellings = (id: string) => [
  id,
  id.toUpperCase(),
  [...id].map((each, index) => (index % 2 ? each.toUpperCase() : each)).join(''),
];

describe('one id for two customers', () => {
  const movements = [
    { operation: 'adjustWallet', make: adjustment, sums: [2.5, 4], moved: [2.5, 4] },
    { operation: 'adjustWallet', make: adjustment, sums: [2, 2], moved: [2, 2] },
    { operation: 'chargeWallet', make: charge, sums: [1.5, 2], moved: [-1.5, -2] },
    { operation: 'chargeWallet', make: charge, sums: [1, 1], moved: [-1, -1] },
  ] as const;

  // WAL-40: the same transaction_id for two customers, of adjustments and of charges, of one amount and of two → each has
  // its own movement, and a repeat of either changes nothing; for an adjustment and a charge of one customer → the
  // second is rejected
  check('WAL-40', async () => {
    const customers = [await aFreshCustomer(), await aFreshCustomer()];
    for (const { operation, make, sums, moved } of movements) {
      const { transaction_id } = make();
      const send = async () => {
        const answers = [];
        for (const [index, { id: customerId }] of customers.entries()) {
          const body = make({ transaction_id, amount: sums[index] as number });
          answers.push((await call(operation, { path: { customerId }, body }, [201])).body);
        }
        return answers;
      };
      expect(await send()).toEqual(await send());
      for (const [index, { id: customerId }] of customers.entries()) {
        const path = { customerId, transactionId: transaction_id };
        expect((await api('getWalletTransaction', { path }, 200)).amount).toBe(moved[index]);
        const other = operation === 'adjustWallet' ? 'chargeWallet' : 'adjustWallet';
        const body = other === 'chargeWallet' ? charge : adjustment;
        await refused(other, {
          path,
          body: body({ transaction_id, amount: sums[index] as number }),
        });
      }
    }

    const left = await Promise.all(customers.map((customer) => balance(customer)));
    expect(left.map(String)).toEqual(['2', '3']);
  });
});

describe('retries of charges', () => {
  // WAL-60: charge repeated with its id in other letter cases → taken once and shown as first sent; with another
  // amount, and as an adjustment → rejected
  check('WAL-60', async () => {
    for (const first of [0, 1, 2]) {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await anAdjustment(customer, { amount: 10 });
      const body = charge({ amount: 1.25 });
      const ids = spellings(body.transaction_id);
      const sent = ids[first] as string;
      await api('chargeWallet', { path, body: { ...body, transaction_id: sent } }, 201);
      for (const transaction_id of ids) {
        const again = { ...body, transaction_id };
        await call('chargeWallet', { path, body: again }, [200, 201]);
        await refused('chargeWallet', { path, body: { ...again, amount: 2 } });
        await refused('adjustWallet', { path, body: adjustment({ transaction_id }) });
        const place = { ...path, transactionId: transaction_id };
        const { id, amount } = await api('getWalletTransaction', { path: place }, 200);
        expect([id, amount]).toEqual([sent, -1.25]);
      }

      expect(String(await balance(customer))).toBe('8.75');
    }
  });
});

/** The available and the pending credit of an account, and the rest of each grant. */
async function credit({ id: customerId }: OwnObject) {
  const path = { customerId, accountId: 'default:USD' };
  const { available, pending_in } = await api('getWalletAccount', { path }, 200);
  const { items } = await api('listGrants', { path }, 200);
  return [available, pending_in, items.map((grant) => grant.available)];
}

describe('retries of an adjustment that takes effect later', () => {
  // WAL-61: adjustment with a future effective_at, repeated before and after that time → pending once, then available
  // once
  check('WAL-61', async () => {
    const { customer, repeat, ahead } = await aheadOf(async (effective_at) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const body = adjustment({ amount: 7, effective_at });
      const answers: object[] = [];
      const repeat = async () => {
        for (const transaction_id of spellings(body.transaction_id))
          answers.push(await api('adjustWallet', { path, body: { ...body, transaction_id } }, 201));
        return answers;
      };
      await repeat();
      return { customer, repeat, ahead: await credit(customer) };
    });
    expect(ahead).toEqual([0, 7, [0]]);
    await eventually(
      () => balance(customer),
      (available) => available.compare(0) > 0,
    );
    const answers = await repeat();

    expect(await credit(customer)).toEqual([7, 0, [7]]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});
