import { compare, type Decimal, decimal, isNegative } from '../../domain/decimal.ts';
import type { AutoTopUpRow, CustomerRow, WalletAccountRow } from '../../store/records.ts';
import type { Context } from '../context.ts';

/**
 * Makes the automatic top-up of a wallet account due if a movement lowered the balance below its threshold, and no
 * longer due if the balance is above it again.
 *
 * @assumes A-1104, A-1106
 */
export function watchBalance(context: Context, account: WalletAccountRow, gained: Decimal): void {
  const rule = context.tables.auto_top_ups.get(account.id);
  if (!rule) return;
  const isWanted = isBelow(rule, account) && !isWaiting(context, rule, account);
  if (isWanted && rule.due_at === undefined && isNegative(gained)) makeDue(context, rule);
  if (!isWanted && rule.due_at !== undefined) context.tables.auto_top_ups.put(notDue(rule));
}

export const makeDue = ({ tables, now }: Context, rule: AutoTopUpRow): AutoTopUpRow =>
  tables.auto_top_ups.put({ ...rule, due_at: now });

export const notDue = ({ due_at: _due, ...rule }: AutoTopUpRow): AutoTopUpRow => rule;

export const isBelow = ({ threshold }: AutoTopUpRow, { available }: WalletAccountRow): boolean =>
  compare(decimal(available), decimal(threshold)) < 0;

/** Whether money is on its way, or the current payment method was refused. */
function isWaiting({ tables }: Context, rule: AutoTopUpRow, account: WalletAccountRow): boolean {
  if (tables.top_ups.list('pending', account.id).length > 0) return true;
  const { payment_method } = tables.customers.get(account.customer_id) as CustomerRow;
  return rule.refused !== undefined && rule.refused.last4 === payment_method?.last4;
}
