import { Rational } from '../../kit/rational.ts';
import type { AnyBody } from '../../kit/target/own-world.ts';
import { type Account, available, type Movement, NEVER } from '../account.ts';
import { instant } from '../calls.ts';
import { pendingIn } from '../world.ts';
import type { Aspect, Stage } from './aspect.ts';

/** Every wallet account with its balance, grants and transactions, and every top-up. */
export const credit: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  const byId = (one: AnyBody, other: AnyBody) => (one.id < other.id ? -1 : 1);
  for (const { index, accounts } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const found = (await call('getWallet', { path })).accounts.sort(byId);
    yield [`c${index} wallet`, found, [...accounts.values()].map(accountItem).sort(byId)];
    for (const [accountId, account] of accounts) {
      const pending = pendingOf(account).map(
        ({ about }) => ids.transactions[about ?? -1] as string,
      );
      const detail = await accountFound(stage, { ...path, accountId }, pending);
      yield [`c${index} ${accountId}`, detail, accountWanted(stage, index, account)];
    }
  }
  for (const { index, customer, amount, currency, status, destination } of world.topUps) {
    const found = await call('getTopUp', { path: { topUpId: ids.topUps[index] as string } });
    const customer_id = ids.customers[customer];
    yield [`top-up ${index}`, found, { customer_id, amount, currency, status, destination }];
  }
};

function accountItem(account: Account) {
  const [name, asset] = account.id.split(':');
  return { id: account.id, name, asset, available: available(account) };
}

/** The number of an account's newest transactions that are also requested by id. */
const SINGLY = 2;

async function accountFound(
  { call, ids, world }: Stage,
  path: { readonly customerId: string; readonly accountId: string },
  pending: readonly string[],
): Promise<object> {
  const { customerId, accountId } = path;
  const query = { limit: 1000 };
  const { items: grants, total_count } = await call('listGrants', { path, query });
  const { items } = await call('listLedgerTransactions', {
    query: { ...query, customer_id: customerId, account_id: accountId },
  });
  const externalIds = world.customers.map(({ external_id }) => external_id ?? 'none');
  const others = [...ids.customers, ...externalIds].filter((id) => id !== customerId);
  const transactions = [];
  for (const [index, item] of [...pending.map((id) => ({ id })), ...items].entries()) {
    if (index >= pending.length + SINGLY) {
      transactions.push(item);
      continue;
    }
    const transactionId = index % 2 === 0 ? item.id : item.id.toUpperCase();
    const answer = await call('getWalletTransaction', { path: { customerId, transactionId } });
    transactions.push({ ...item, ...answer });
    for (const other of others)
      await call('getWalletTransaction', { path: { customerId: other, transactionId } }, [404]);
  }
  return { ...(await call('getWalletAccount', { path })), grants, total_count, transactions };
}

const pendingOf = ({ credits }: Account): Movement[] =>
  credits.filter(({ isEffective }) => !isEffective).map(({ movement }) => movement);

function accountWanted(stage: Stage, customer: number, account: Account): object {
  const { world } = stage;
  return {
    ...accountItem(account),
    pending_in: pendingIn(world, customer, account),
    pending_out: 0,
    total_count: account.credits.length,
    grants: [...account.credits].reverse().map((given) => ({
      purpose: given.purpose,
      available: given.isEffective ? given.left : Rational.ZERO,
      effective_at: instant(given.effectiveAt),
      expires_at: given.expiresAt === NEVER ? null : instant(given.expiresAt),
      created_at: instant(given.movement.createdAt),
    })),
    transactions: [...pendingOf(account), ...[...account.movements].reverse()].map((movement) =>
      transaction(stage, account, movement),
    ),
  };
}

function transaction({ ids }: Stage, account: Account, movement: Movement): object {
  const { source, amount, createdAt, executedAt, balance, texts, about = -1 } = movement;
  const isFee = source === 'usage' || source === 'charge';
  const isOwn = source === 'adjustment' || source === 'charge';
  return {
    ...(isOwn && {
      id: ids.transactions[about],
      description: texts?.description,
      metadata: texts?.metadata,
    }),
    type: isFee ? 'fee' : 'adjustment',
    account_id: account.id,
    asset: account.id.split(':')[1],
    amount,
    created_at: instant(createdAt),
    executed_at: executedAt === undefined ? undefined : instant(executedAt),
    ...(balance && {
      source,
      balance_after: balance,
      reason: texts?.reason,
      subject: texts?.subject,
    }),
    event_id: source === 'usage' ? ids.events[about] : undefined,
    top_up_id: source === 'top_up' ? ids.topUps[about] : undefined,
  };
}
