import { asking, type Loose, type Mutant, showing } from '../mutant.ts';
import { bugs } from './bug.ts';
import { ask, drawing, refuse, seeing, through } from './deep.ts';
import { dueBugs, grantDue } from './due-bug.ts';

/** Bugs of wallets, grants and top-ups in combination with something else. Each part is correct on its own. */

const RANKS: Loose = { promotion: 0, bundled: 1, paid: 2 };
const ends = ({ expires_at }: Loose): string => expires_at ?? '9999';

const amountOf = ({ amount }: Loose): Loose => amount;

const added = (amounts: readonly Loose[]): number =>
  amounts.reduce((sum: number, amount) => sum + Number(amount), 0);

/** The sum of decimals, as text as the tables store it. */
const plus = (...amounts: readonly Loose[]): string => String(Number(added(amounts).toFixed(10)));

const transactionOf = ({ tables }: Loose, { path, body }: Loose): Loose =>
  tables.transactions.get(`${path.customerId}\n${body.transaction_id.toLowerCase()}`);

/** Draws credit in an order that ignores priorities. */
const withoutPriority = drawing(
  (left, right) =>
    RANKS[left.purpose] - RANKS[right.purpose] ||
    (ends(left) < ends(right) ? -1 : ends(left) > ends(right) ? 1 : left.seq - right.seq),
);

/** A top-up with the credit that it would buy at the current rate. */
function rebought(row: Loose, { tables, now }: Loose): Loose {
  const asset = tables.assets.get(`${row.owner}\n${row.asset}`);
  const period = asset?.schedules[row.currency]?.find(
    ({ valid_from, valid_to }: Loose) =>
      valid_from <= now && (valid_to === undefined || valid_to > now),
  );
  if (!period || row.asset === row.currency) return row;
  const bought = Number(row.amount) / Number(period.rate);
  return { ...row, credit: String(Number(bought.toFixed(asset.precision))) };
}

/** Adds an amount, which can be negative, to the revenue totals of a customer. */
function countAgainst({ tables, now }: Loose, customerId: string, amount: number): void {
  for (const [table, id] of [
    ['totals', customerId],
    ['totals', `${customerId}\n${now.slice(0, 10)}`],
  ] as const) {
    const row = tables[table].get(id);
    if (row) tables[table].put({ ...row, revenue: plus(row.revenue, amount) });
  }
}

export const creditInteractions: readonly Mutant[] = [
  ...bugs({
    getWallet: {
      'counts credit that is put off as there': showing(({ accounts }, { path }, { tables }) => ({
        accounts: accounts.map((account: Loose) => {
          const toCome = tables.grants
            .list('pending', path.customerId)
            .filter(({ account_id }) => account_id === account.id);
          if (toCome.length === 0) return account;
          const amounts = toCome.map(({ amount }) => amount);
          return { ...account, available: added([account.available, ...amounts]) };
        }),
      })),
    },
    getWalletAccount: {
      'shows what is on its way as money where it buys another asset': showing(
        ({ id, pending_in }, { path }, { tables }) => {
          const coming = tables.top_ups.list('pending', `${path.customerId}\n${id}`);
          if (coming.length === 0) return {};
          return {
            pending_in: added([
              pending_in,
              ...coming.map(({ amount, credit }) => Number(amount) - Number(credit)),
            ]),
          };
        },
      ),
    },
    adjustWallet: {
      'takes credit away without regard to priorities': (call, context, run) =>
        call.body.amount < 0 && call.body.reason !== 'external_refund'
          ? withoutPriority(call, context, run)
          : run(),
      'refuses a retry once the credit has expired': (call, { now }, run) => {
        const { expires_at } = call.body;
        if (expires_at && Date.parse(expires_at) <= Date.parse(now)) refuse('expires_at');
        return run();
      },
      'takes a refund off the revenue': (call, context, run) => {
        const earlier = transactionOf(context, call);
        const reply = run();
        const { amount, reason } = call.body;
        if (!earlier && reason === 'external_refund' && amount < 0)
          countAgainst(context, call.path.customerId, amount);
        return reply;
      },
    },
    chargeWallet: {
      'takes another description under the same id for a retry': (call, context, run) => {
        const earlier = transactionOf(context, call);
        const { amount, asset } = call.body;
        const isSame = earlier?.asset === asset && added(earlier.postings.map(amountOf)) === amount;
        return isSame && earlier.source === 'charge' ? { status: 201, body: {} } : run();
      },
      'counts nothing in the stats by day': through('totals', (table) => ({
        put: (row: Loose) => (row.day ? row : table.put(row)),
      })),
      'adds its amount to the task of its subject': (call, context, run) => {
        const earlier = transactionOf(context, call);
        const reply = run();
        const { tasks } = context.tables;
        const task = tasks.get(`${call.path.customerId}:${call.body.subject}`);
        if (task && !earlier) {
          const { postings } = transactionOf(context, call);
          tasks.put({ ...task, revenue: plus(task.revenue, ...postings.map(amountOf)) } as Loose);
        }
        return reply;
      },
    },
    createTopUp: {
      'ends the link of the top-up that was ordered before': (call, { tables }, run) => {
        const reply = run();
        for (const row of [...tables.top_ups.list('customer', call.body.customer_id)])
          if (row.status === 'initiated' && row.id !== reply.body.id)
            tables.top_ups.put({ ...row, status: 'expired' });
        return reply;
      },
    },
    updateSubscription: {
      'ends the credit of a subscription with it': (call, { tables, now }, run) => {
        const reply = run();
        if (call.body.status !== 'inactive') return reply;
        for (const grant of [...tables.grants.values()])
          if (
            grant.entitlement?.subscription_id === call.path.subscriptionId &&
            (grant.expires_at ?? '9999') > now
          )
            tables.grants.put({ ...grant, expires_at: now });
        return reply;
      },
    },
    simulateUsage: {
      'looks at no balance of the customer': seeing('wallet_accounts', (row) => ({
        ...row,
        available: '0',
      })),
    },
    submitEvents: {
      'chooses the asset by all accounts that hold it': through('wallet_accounts', (table) => {
        const elsewhere = ({ id, name, asset, customer_id }: Loose): readonly Loose[] =>
          name !== 'default'
            ? []
            : table
                .list('customer', customer_id)
                .filter((other: Loose) => other.asset === asset && other.id !== id)
                .map(({ available }: Loose) => available);
        return {
          get(id: string) {
            const row = table.get(id);
            const others = row ? elsewhere(row) : [];
            return others.length > 0 ? { ...row, available: plus(row.available, ...others) } : row;
          },
          put(row: Loose) {
            const others = elsewhere(row);
            if (others.length === 0 || !table.get(row.id)) return table.put(row);
            const own = plus(row.available, ...others.map((each) => -each));
            return table.put({ ...row, available: own });
          },
        };
      }),
      'values usage before the first rate at nothing': seeing('assets', (row, { body }) => {
        const rates: Loose[] = Object.values(row.schedules).flat();
        const times = body.events.map((event: Loose) => Date.parse(event.occurred_at));
        const isEarly = rates.every(
          ({ valid_from }) => Date.parse(valid_from) > Math.max(...times),
        );
        return isEarly ? { ...row, schedules: {} } : row;
      }),
      'refuses what it knows once it is too old to be new': asking(({ body }, context) => {
        const { tables, owner, now } = context;
        const oldest = Date.parse(now) - 34 * 86_400_000;
        for (const [place, { id, occurred_at }] of body.events.entries())
          if (
            tables.events.get(`${owner}\n${id.toLowerCase()}`) &&
            Date.parse(occurred_at) < oldest
          )
            refuse(`events[${place}].occurred_at`);
      }),
    },
  }),
  ...dueBugs({
    grant_expiry: {
      'takes back what repaid debt too': (due, context, run) => {
        const { seq, repaid, customer_id, account_id, asset } = grantDue(due, context);
        const result = run();
        if (Number(repaid) === 0) return result;
        const transaction_id = `00000000-0000-8000-8000-${seq.toString(16).padStart(12, '0')}`;
        const account_name = account_id.split(':')[0];
        const taken = { transaction_id, account_name, asset, amount: -repaid, reason: 'other' };
        ask('adjustWallet', { path: { customerId: customer_id }, body: taken }, context);
        return result;
      },
    },
    top_up_settlement: {
      'buys at the rate of the day on which the money comes': (due, context, run) =>
        seeing('top_ups', (row) => rebought(row, context))(due, context, run),
    },
  }),
];
