import type { Context } from 'billing-emulator/internals';
import {
  after,
  asking,
  declared,
  kindOfMutant,
  type Loose,
  type Mutant,
  showing,
} from './mutant.ts';

/** Adds the values of a customer's rows of a table to the customer's gross revenue. */
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

/** Drops `effective_at` from some adjustments. */
const forgettingEffect = kindOfMutant((isMeant: (body: Loose, now: string) => boolean) => ({
  around: {
    adjustWallet: asking(({ body }, { now }) => {
      if (body.effective_at && isMeant(body, now)) delete body.effective_at;
    }),
  },
}));

/** Mutants of the revenue from credit, of its effective time and of the order in which it is drawn. */
export const creditMutants: readonly Mutant[] = [
  declared('A gift counts as if it were paid', ['EVT-45'], {
    adjustWallet: after((_, { tables }) => {
      for (const grant of [...tables.grants.values()])
        if (!grant.worth)
          tables.grants.put({ ...grant, worth: { kind: 'paid', amount: grant.amount } });
    }),
  }),
  declared('Another rate changes what paid credit is worth', ['EVT-45'], {
    setAssetRate: after((call, { tables }) => {
      for (const grant of [...tables.grants.values()])
        if (grant.worth && grant.asset === call.path.assetCode) {
          const amount = String(Number(grant.amount) * call.body.rate) as typeof grant.amount;
          tables.grants.put({ ...grant, worth: { ...grant.worth, amount } });
        }
    }),
  }),
  counting('grants')(
    'Paid credit counts when it is given',
    ['EVT-45'],
    ({ worth, amount, remaining }) =>
      worth?.kind === 'paid' ? (worth.amount * remaining) / amount : 0,
  ),
  counting('transactions')('Debt counts nothing', ['EVT-46'], ({ postings }) =>
    postings.reduce(
      (sum: number, { grant_id, revenue = 0 }: Loose) => (grant_id ? sum : sum - revenue),
      0,
    ),
  ),
  counting('grants')('Credit that repays debt counts once more', ['EVT-46'], ({ repaid }) =>
    Number(repaid),
  ),
  counting('fee_payments')(
    'The whole of a fee counts at once, and its credit again',
    ['SUB-29'],
    ({ worth, revenue }) => worth - revenue,
  ),
  forgettingEffect(
    'Credit of the future is there at once',
    ['WAL-32'],
    (body, now) => Date.parse(body.effective_at) > Date.parse(now),
  ),
  declared('Credit to come is not pending', ['WAL-32'], {
    getWalletAccount: showing(() => ({ pending_in: 0 })),
  }),
  forgettingEffect(
    'Credit is never older than its request',
    ['WAL-50'],
    (body, now) => Date.parse(body.effective_at) <= Date.parse(now),
  ),
  forgettingEffect('A debit may name when it is effective', ['WAL-33'], ({ amount }) => amount < 0),
  forgettingEffect(
    'Credit may end before it is effective',
    ['WAL-33'],
    (body) => Date.parse(body.expires_at ?? '9999') <= Date.parse(body.effective_at),
  ),
  declared('Priorities of entitlements are forgotten', ['WAL-67'], {
    createProduct: asking(({ body }) => {
      for (const entitlement of body.entitlements ?? []) delete entitlement.priority;
    }),
  }),
];
