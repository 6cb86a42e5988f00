import { compare, type Decimal, decimal, isNegative, ZERO } from '../../../domain/decimal.ts';
import { type Ranking, type RankQuery, rank, type Sums } from '../../../store/query.ts';
import type { SubscriptionRow, WalletAccountRow } from '../../../store/records.ts';
import type { Tables } from '../../../store/schema.ts';
import type { SearchCounts } from '../search/counts.ts';

/** Customers that an index keeps: reading a few of very many takes no longer. */
export interface CustomerGroup {
  readonly count: number;
  /** The first of them, by their ids, each with what was summed. */
  first(count: number): readonly Ranking[];
}

/** How many customers each common search finds. */
export async function countCustomers(tables: Tables): Promise<SearchCounts> {
  const groups = {
    'status:active': await customersWith(tables, 'active'),
    'status:unpaid': await customersWith(tables, 'action_required'),
    'balance:<0': await customersBelowZero(tables),
  };
  return { byQuery: new Map(Object.entries(groups).map(([q, { count }]) => [q, count])) };
}

/** The customers with a subscription of a status. */
export async function customersWith(
  { subscriptions }: Tables,
  wanted: SubscriptionRow['status'],
): Promise<CustomerGroup> {
  const query: RankQuery<SubscriptionRow> = {
    named: `customers with ${wanted}`,
    key: ({ status, customer_id }) => (status === wanted ? customer_id : undefined),
    amounts: () => [],
    compare: (left, right) => (left.key < right.key ? -1 : 1),
  };
  return rank(subscriptions, query, ({ order }) => ({
    count: order.length,
    first: (count) => order.page(0, count),
  }));
}

/** The customers with a balance below zero in an asset, over all accounts, the lowest first; with their balances by asset. */
export const customersBelowZero = async ({ wallet_accounts }: Tables): Promise<CustomerGroup> =>
  rank(wallet_accounts, BALANCES, ({ order }) => {
    const all = order.countWhile(({ sums }) => isNegative(lowestOf(sums).amount));
    return { count: all, first: (count) => order.page(0, Math.min(count, all)) };
  });

const BALANCES: RankQuery<WalletAccountRow> = {
  named: 'balances',
  key: ({ customer_id }) => customer_id,
  amounts: ({ asset, available }) => [[asset, decimal(available)]],
  compare: (left, right) =>
    compare(lowestOf(left.sums).amount, lowestOf(right.sums).amount) ||
    (left.key < right.key ? -1 : 1),
};

/** The lowest balance, and its asset. */
export function lowestOf(balances: Sums): { readonly asset: string; readonly amount: Decimal } {
  let lowest: { asset: string; amount: Decimal } | undefined;
  for (const [asset, amount] of balances)
    if (!lowest || compare(amount, lowest.amount) < 0) lowest = { asset, amount };
  return lowest ?? { asset: '', amount: ZERO };
}
