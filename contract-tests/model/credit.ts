import { Rational } from '../kit/rational.ts';
import type { AnyBody } from '../kit/target/own-world.ts';
import { type Account, available, type Movement, NEVER } from './account.ts';
import { instant } from './calls.ts';
import type { Compared, Stage } from './compare.ts';

/** Every wallet account with its balance, grants and transactions; what is pending is compared at each step. */
export async function* creditIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  const byId = (one: AnyBody, other: AnyBody) => (one.id < other.id ? -1 : 1);
  for (const { index, accounts } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const found = (await call('getWallet', { path })).accounts.sort(byId);
    yield [`c${index} wallet`, found, [...accounts.values()].map(accountItem).sort(byId)];
    for (const [accountId, account] of accounts) {
      const query = { limit: 1000 };
      const own = { customer_id: path.customerId, account_id: accountId };
      const { items: grants } = await call('listGrants', { path: { ...path, accountId }, query });
      const { items: transactions } = await call('listLedgerTransactions', {
        query: { ...query, ...own },
      });
      yield [`c${index} ${accountId}`, { grants, transactions }, historyOf(account)];
    }
  }
}

function accountItem(account: Account) {
  const [name, asset] = account.id.split(':');
  return { id: account.id, name, asset, available: available(account) };
}

const historyOf = ({ id, credits, movements }: Account): object => ({
  grants: [...credits].reverse().map((given) => ({
    purpose: given.purpose,
    available: given.isEffective ? given.left : Rational.ZERO,
    effective_at: instant(given.effectiveAt),
    expires_at: given.expiresAt === NEVER ? null : instant(given.expiresAt),
    created_at: instant(given.movement.createdAt),
  })),
  transactions: [...movements].reverse().map((movement) => transaction(id, movement)),
});

function transaction(accountId: string, movement: Movement): object {
  const { source, amount, createdAt, executedAt, balance } = movement;
  return {
    type: source === 'usage' || source === 'charge' ? 'fee' : 'adjustment',
    account_id: accountId,
    asset: accountId.split(':')[1],
    ...{ amount, source, balance_after: balance },
    created_at: instant(createdAt),
    executed_at: executedAt === undefined ? undefined : instant(executedAt),
  };
}
