import { asking, type Loose, type Mutant, mutant, showing } from './mutant.ts';

/** Adds to what a customer is shown to bring in. */
const counting = (more: (customerId: string, tables: Loose) => number): Mutant['around'] => ({
  getCustomerStats: showing((body, { path }, { tables }) => ({
    gross_revenue: body.gross_revenue + more(path.customerId, tables),
  })),
});

const sumOf = (rows: Iterable<Loose>, customerId: string, value: (row: Loose) => number): number =>
  [...rows]
    .filter(({ customer_id }) => customer_id === customerId)
    .reduce((sum, row) => sum + value(row), 0);

/** Forgets `effective_at` of some adjustments. */
const forgettingEffect = (isMeant: (body: Loose, now: string) => boolean): Mutant['around'] => ({
  adjustWallet: asking(({ body }, { now }) => {
    if (body.effective_at && isMeant(body, now)) delete body.effective_at;
  }),
});

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
  mutant(
    'paid-credit-counts-at-once',
    'Paid credit counts when it is given',
    ['EVT-45'],
    counting((id, tables) =>
      sumOf(tables.grants.values(), id, ({ worth, amount, remaining }) =>
        worth?.kind === 'paid' ? (worth.amount * remaining) / amount : 0,
      ),
    ),
  ),
  mutant(
    'debt-counts-nothing',
    'Debt counts nothing',
    ['EVT-46'],
    counting((id, tables) =>
      sumOf(tables.transactions.values(), id, ({ postings }) =>
        postings.reduce(
          (sum: number, { grant_id, revenue = 0 }: Loose) => (grant_id ? sum : sum - revenue),
          0,
        ),
      ),
    ),
  ),
  mutant(
    'repayment-counts',
    'Credit that repays debt counts once more',
    ['EVT-46'],
    counting((id, tables) => sumOf(tables.grants.values(), id, ({ repaid }) => Number(repaid))),
  ),
  mutant(
    'deferred-fee-counts',
    'The whole of a fee counts at once, and its credit again',
    ['SUB-29'],
    counting((id, tables) =>
      sumOf(tables.fee_payments.values(), id, ({ worth, revenue }) => worth - revenue),
    ),
  ),
  mutant(
    'future-credit-at-once',
    'Credit of the future is there at once',
    ['WAL-32'],
    forgettingEffect((body, now) => Date.parse(body.effective_at) > Date.parse(now)),
  ),
  mutant('pending-credit-unseen', 'Credit to come is not pending', ['WAL-32'], {
    getWalletAccount: showing(() => ({ pending_in: 0 })),
  }),
  mutant(
    'past-effect-forgotten',
    'Credit is never older than its request',
    ['WAL-34'],
    forgettingEffect((body, now) => Date.parse(body.effective_at) <= Date.parse(now)),
  ),
  mutant(
    'negative-effect-dropped',
    'A debit may name when it is effective',
    ['WAL-33'],
    forgettingEffect(({ amount }) => amount < 0),
  ),
  mutant(
    'end-before-effect-taken',
    'Credit may end before it is effective',
    ['WAL-33'],
    forgettingEffect(
      (body) => Date.parse(body.expires_at ?? '9999') <= Date.parse(body.effective_at),
    ),
  ),
  mutant('priority-forgotten', 'Priorities of entitlements are forgotten', ['WAL-35'], {
    createProduct: asking(({ body }) => {
      for (const entitlement of body.entitlements ?? []) delete entitlement.priority;
    }),
  }),
];
