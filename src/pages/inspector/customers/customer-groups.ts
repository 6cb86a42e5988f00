import {
  compare,
  type Decimal,
  decimal,
  format,
  isNegative,
  ZERO,
} from '../../../domain/decimal.ts';
import { type RankQuery, rank, type Sums } from '../../../store/query.ts';
import type { SubscriptionRow, WalletAccountRow } from '../../../store/records.ts';
import type { Tables } from '../../../store/schema.ts';
import type { SearchCounts } from '../search/counts.ts';

/** How many customers each common search finds. */
export async function countCustomers(tables: Tables): Promise<SearchCounts> {
  const debtors = (await balancesBelowZero(tables)).map(({ customer_id }) => customer_id);
  const byQuery = new Map([
    ['status:active', (await customersWith(tables, 'active')).length],
    ['status:unpaid', (await customersWith(tables, 'action_required')).length],
    ['balance:<0', new Set(debtors).size],
  ]);
  return { byQuery };
}

/** The ids of the customers with a subscription of a status. */
export const customersWith = async (
  { subscriptions }: Tables,
  wanted: SubscriptionRow['status'],
): Promise<readonly string[]> => {
  const query: RankQuery<SubscriptionRow> = {
    named: `customers with ${wanted}`,
    key: ({ status, customer_id }) => (status === wanted ? customer_id : undefined),
    amounts: () => [],
    compare: (left, right) => (left.key < right.key ? -1 : 1),
  };
  return rank(subscriptions, query, ({ order }) => [...order].map(({ key }) => key));
};

/** What a customer owes in an asset. */
export interface BalanceBelowZero {
  readonly customer_id: string;
  readonly asset: string;
  readonly amount: string;
}

/** The balances of customers below zero, the lowest first. */
export const balancesBelowZero = async ({
  wallet_accounts,
}: Tables): Promise<readonly BalanceBelowZero[]> =>
  rank(wallet_accounts, BALANCES, ({ order }) => {
    const count = order.countWhile(({ sums }) => isNegative(availableIn(sums)));
    return order.page(0, count).map(({ key, sums }) => {
      const [customer_id = '', asset = ''] = key.split(' ');
      return { customer_id, asset, amount: format(availableIn(sums)) };
    });
  });

const BALANCES: RankQuery<WalletAccountRow> = {
  named: 'balances',
  key: ({ customer_id, asset }) => `${customer_id} ${asset}`,
  amounts: ({ available }) => [['available', decimal(available)]],
  compare: (left, right) =>
    compare(availableIn(left.sums), availableIn(right.sums)) || (left.key < right.key ? -1 : 1),
};

const availableIn = (sums: Sums): Decimal => sums.get('available') ?? ZERO;
