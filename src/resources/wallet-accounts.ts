import { add, compare, type Decimal, decimal, subtract } from '../domain/decimal.ts';
import { rowsOf } from '../store/query.ts';
import type { AutoTopUpRow, TopUpRow, WalletAccountRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import type { Context } from './context.ts';

export const DEFAULT_ACCOUNT_NAME = 'default';

/** The wallet account of a customer for an asset and a name, created on first use. @assumes A-702 */
export function openAccount(
  { tables, world, now }: Context,
  customer: { readonly id: string; readonly owner: string },
  asset: string,
  name: string = DEFAULT_ACCOUNT_NAME,
): WalletAccountRow {
  const account_id = `${name}:${asset}`;
  const id = key(customer.id, account_id);
  return (
    tables.wallet_accounts.get(id) ??
    tables.wallet_accounts.put({
      id,
      seq: world.nextSeq(),
      owner: customer.owner,
      created_at: now,
      account_id,
      customer_id: customer.id,
      name,
      asset,
      available: '0',
    })
  );
}

/**
 * Makes the automatic top-up of a wallet account due if a movement took the balance below its threshold, and no
 * longer due if the balance is not below it any more.
 *
 * @assumes A-1104, A-1106
 */
export function watchBalance(context: Context, account: WalletAccountRow, gained: Decimal): void {
  const rule = context.tables.auto_top_ups.get(account.id);
  if (!rule) return;
  const balance = expectedBalance(context, account);
  const isBelow = isLess(balance, rule);
  const fell = isBelow && !isLess(subtract(balance, gained), rule);
  if (fell && !awaitsMethod(rule)) makeDue(context, rule);
  if (!isBelow && rule.due_at !== undefined) context.tables.auto_top_ups.put(notDue(rule));
}

export const makeDue = ({ tables, now }: Context, rule: AutoTopUpRow): AutoTopUpRow =>
  tables.auto_top_ups.put({ ...rule, due_at: now });

export const notDue = ({ due_at: _due, ...rule }: AutoTopUpRow): AutoTopUpRow => rule;

/** Whether an account has less than the threshold of its rule, together with the money on its way. */
export const isBelow = (context: Context, rule: AutoTopUpRow, account: WalletAccountRow): boolean =>
  isLess(expectedBalance(context, account), rule);

const isLess = (balance: Decimal, { threshold }: AutoTopUpRow): boolean =>
  compare(balance, decimal(threshold)) < 0;

/** The balance of an account and the credit of its pending top-ups. */
const expectedBalance = ({ tables }: Context, { id, available }: WalletAccountRow): Decimal =>
  tables.top_ups
    .list('pending', id)
    .reduce((sum, { credit }) => add(sum, decimal(credit)), decimal(available));

const awaitsMethod = ({ refused }: AutoTopUpRow): boolean =>
  refused === 'declined' || refused === 'no_payment_method';

/**
 * A payment on its way to an account failed. If the balance is now below the threshold, the automatic top-up waits
 * for another payment method.
 *
 * @assumes A-1106
 */
export function awaitOtherMethod(
  context: Context,
  { customer_id, account_name, asset }: TopUpRow,
): void {
  const { auto_top_ups, wallet_accounts } = context.tables;
  const id = key(customer_id, `${account_name}:${asset}`);
  const rule = auto_top_ups.get(id);
  const account = wallet_accounts.get(id);
  if (!rule || !account || !isBelow(context, rule, account)) return;
  auto_top_ups.put({ ...rule, refused: 'declined' });
}

/** Tries every automatic top-up of a customer again that came to nothing, as there is a payment method now. @assumes A-1106 */
export function retryWithMethod(context: Context, customerId: string): void {
  const { auto_top_ups, wallet_accounts } = context.tables;
  for (const { id } of rowsOf(wallet_accounts, { customer_id: customerId })) {
    const rule = auto_top_ups.get(id);
    if (rule?.refused) retry(context, rule);
  }
}

/** Tries the automatic top-ups of an asset again that were impossible, as it has a rate now. @assumes A-1106 */
export function retryWithRate(
  context: Context,
  asset: { readonly owner: string; readonly code: string },
): void {
  for (const rule of [...context.tables.auto_top_ups.values()]) {
    const isIts = rule.owner === asset.owner && rule.account_id.endsWith(`:${asset.code}`);
    if (isIts && rule.refused === 'not_possible') retry(context, rule);
  }
}

function retry(context: Context, { refused: _refused, ...rule }: AutoTopUpRow): void {
  const account = context.tables.wallet_accounts.get(rule.id) as WalletAccountRow;
  if (isBelow(context, rule, account)) makeDue(context, rule);
  else context.tables.auto_top_ups.put(rule);
}
