import type { Context } from 'billing-emulator/internals';
import { asking, kindOfMutant, type Loose, type Mutant, mutant, showing } from './mutant.ts';

/** Adds what rows of a table come to, to what their customer is shown to bring in. */
const counting = (table: keyof Context['tables']) =>
  kindOfMutant((value: (row: Loose) => number) => ({
    around: {
      getCustomerStats: showing(({ gross_revenue }, { path }, { tables }) => {
        const rows = ([...tables[table].values()] as Loose[]).filter(
          ({ customer_id }) => customer_id === path.customerId,
        );
        return { gross_revenue: rows.reduce((sum, row) => sum + value(row), gross_revenue) };
      }),
    },
  }));

/** Forgets `effective_at` of some adjustments. */
const forgettingEffect = kindOfMutant((isMeant: (body: Loose, now: string) => boolean) => ({
  around: {
    adjustWallet: asking(({ body }, { now }) => {
      if (body.effective_at && isMeant(body, now)) delete body.effective_at;
    }),
  },
}));

/** What credit is worth, when it is effective, and whose turn it is. */
export const creditMutants: readonly Mutant[] = [
  mutant('gift-counts-as-paid', 'A gift counts as if it were paid', ['EVT-45'], {
    adjustWallet: (_call, { tables }, run) => {
      const reply = run();
      for (const grant of [...tables.grants.values()])
        if (!grant.worth)
          tables.grants.put({ ...grant, worth: { kind: 'paid', amount: grant.amount } });
      return reply;
    },
  }),
  mutant('credit-revalued', 'Another rate changes what paid credit is worth', ['EVT-45'], {
    setAssetRate: (call, { tables }, run) => {
      const reply = run();
      for (const grant of [...tables.grants.values()])
        if (grant.worth && grant.asset === call.path.assetCode) {
          const amount = String(Number(grant.amount) * call.body.rate) as typeof grant.amount;
          tables.grants.put({ ...grant, worth: { ...grant.worth, amount } });
        }
      return reply;
    },
  }),
  counting('grants')(
    'paid-credit-counts-at-once',
    'Paid credit counts when it is given',
    ['EVT-45'],
    ({ worth, amount, remaining }) =>
      worth?.kind === 'paid' ? (worth.amount * remaining) / amount : 0,
  ),
  counting('transactions')(
    'debt-counts-nothing',
    'Debt counts nothing',
    ['EVT-46'],
    ({ postings }) =>
      postings.reduce(
        (sum: number, { grant_id, revenue = 0 }: Loose) => (grant_id ? sum : sum - revenue),
        0,
      ),
  ),
  counting('grants')(
    'repayment-counts',
    'Credit that repays debt counts once more',
    ['EVT-46'],
    ({ repaid }) => Number(repaid),
  ),
  counting('fee_payments')(
    'deferred-fee-counts',
    'The whole of a fee counts at once, and its credit again',
    ['SUB-29'],
    ({ worth, revenue }) => worth - revenue,
  ),
  forgettingEffect(
    'future-credit-at-once',
    'Credit of the future is there at once',
    ['WAL-32'],
    (body, now) => Date.parse(body.effective_at) > Date.parse(now),
  ),
  mutant('pending-credit-unseen', 'Credit to come is not pending', ['WAL-32'], {
    getWalletAccount: showing(() => ({ pending_in: 0 })),
  }),
  forgettingEffect(
    'past-effect-forgotten',
    'Credit is never older than its request',
    ['WAL-34'],
    (body, now) => Date.parse(body.effective_at) <= Date.parse(now),
  ),
  forgettingEffect(
    'negative-effect-dropped',
    'A debit may name when it is effective',
    ['WAL-33'],
    ({ amount }) => amount < 0,
  ),
  forgettingEffect(
    'end-before-effect-taken',
    'Credit may end before it is effective',
    ['WAL-33'],
    (body) => Date.parse(body.expires_at ?? '9999') <= Date.parse(body.effective_at),
  ),
  mutant('priority-forgotten', 'Priorities of entitlements are forgotten', ['WAL-35'], {
    createProduct: asking(({ body }) => {
      for (const entitlement of body.entitlements ?? []) delete entitlement.priority;
    }),
  }),
];
