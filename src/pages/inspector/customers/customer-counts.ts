import { compare, type Decimal, decimal, isNegative, ZERO } from '../../../domain/decimal.ts';
import { type RankQuery, rank, type Sums } from '../../../store/query.ts';
import type { SubscriptionRow, WalletAccountRow } from '../../../store/records.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { SearchCounts } from '../search/counts.ts';

/** How many customers each common search finds, from indexes of what customers have. */
export async function countCustomers({
  world: { tables },
}: InspectorRequest): Promise<SearchCounts> {
  const withStatus = (status: SubscriptionRow['status']) =>
    rank(tables.subscriptions, holdersOf(status), ({ order }) => order.length);
  const belowZero = await rank(tables.wallet_accounts, BALANCES, ({ order }) => {
    const negative = order.page(
      0,
      order.countWhile(({ sums }) => isNegative(availableIn(sums))),
    );
    return new Set(negative.map(({ key }) => key.split(' ')[0])).size;
  });
  const byQuery = new Map([
    ['status:active', await withStatus('active')],
    ['status:unpaid', await withStatus('action_required')],
    ['balance:<0', belowZero],
  ]);
  return { byQuery };
}

const holdersOf = (wanted: SubscriptionRow['status']): RankQuery<SubscriptionRow> => ({
  named: `customers with ${wanted}`,
  key: ({ status, customer_id }) => (status === wanted ? customer_id : undefined),
  amounts: () => [],
  compare: (left, right) => (left.key < right.key ? -1 : 1),
});

/** The balances of customers in each asset, the lowest first. */
const BALANCES: RankQuery<WalletAccountRow> = {
  named: 'balances',
  key: ({ customer_id, asset }) => `${customer_id} ${asset}`,
  amounts: ({ available }) => [['available', decimal(available)]],
  compare: (left, right) =>
    compare(availableIn(left.sums), availableIn(right.sums)) || (left.key < right.key ? -1 : 1),
};

const availableIn = (sums: Sums): Decimal => sums.get('available') ?? ZERO;
