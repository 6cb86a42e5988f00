import { RuleViolation } from '../../domain/rules.ts';
import type {
  AutoTopUpRow,
  CustomerRow,
  PaymentMethod,
  WalletAccountRow,
} from '../../store/records.ts';
import type { Context } from '../context.ts';
import { isBelow, makeDue, notDue } from '../wallet-accounts.ts';
import type { PaymentOutcome } from './payables.ts';
import { completePayment } from './payments.ts';
import { initiateTopUp } from './top-ups.ts';

/** When a wallet account is topped up automatically, and by how much. */
type AutoTopUpTerms = Pick<
  AutoTopUpRow,
  'threshold' | 'amount' | 'currency' | 'return_url' | 'failure_url'
>;

/**
 * Sets the automatic top-up of a wallet account. If the balance is already below the threshold, the top-up is due
 * now, unless one was paid since the balance fell below the earlier threshold.
 *
 * @throws  RuleViolation where a top-up on these terms would be refused
 * @assumes A-1104, A-1106
 */
export function setAutoTopUpRule(
  context: Context,
  account: WalletAccountRow,
  terms: AutoTopUpTerms,
): AutoTopUpRow {
  const { tables, world, now } = context;
  const { id, owner, customer_id, account_id } = account;
  const earlier = tables.auto_top_ups.get(id);
  const { seq = world.nextSeq(), created_at = now } = earlier ?? {};
  const rule = { id, seq, owner, created_at, customer_id, account_id, ...terms };
  world.dryRun(() => initiate(context, rule));
  tables.auto_top_ups.put(rule);
  const wasPaid = earlier && isPaid(earlier) && isBelow(context, earlier, account);
  return isBelow(context, rule, account) && !wasPaid ? makeDue(context, rule) : rule;
}

/** Whether the last fall of the balance below the threshold was paid, or there was none. */
const isPaid = ({ refused, due_at }: AutoTopUpRow): boolean =>
  refused === undefined && due_at === undefined;

export function removeAutoTopUpRule({ tables }: Context, account: WalletAccountRow): void {
  tables.auto_top_ups.remove(account.id);
}

type AutoTopUpEnd = 'paid' | 'processing' | 'declined' | 'impossible';

/**
 * Makes one payment for a due automatic top-up, with the customer's last payment method. If it is refused, the
 * top-up waits for another method; if it is not possible, for a rate too.
 *
 * @assumes A-1104, A-1106
 */
export function runAutoTopUp(context: Context, rule: AutoTopUpRow): AutoTopUpEnd {
  const { tables } = context;
  const { refused: _refused, ...rested } = notDue(rule);
  const { payment_method } = tables.customers.get(rule.customer_id) as CustomerRow;
  tables.auto_top_ups.put(rested);
  const refuse = (
    refused: NonNullable<AutoTopUpRow['refused']>,
    end: AutoTopUpEnd,
  ): AutoTopUpEnd => {
    tables.auto_top_ups.put({ ...rested, refused });
    return end;
  };
  if (!payment_method) return refuse('no_payment_method', 'impossible');
  const topUp = initiateOrNot(context, rule);
  if (!topUp) return refuse('not_possible', 'impossible');
  const outcome = outcomeOf(payment_method);
  completePayment(context, topUp, outcome);
  if (outcome.outcome === 'failed') return refuse('declined', 'declined');
  return outcome.outcome === 'processing' ? 'processing' : 'paid';
}

function outcomeOf(method: PaymentMethod): PaymentOutcome {
  if (method.declines_later) return { outcome: 'failed', reason: 'declined' };
  return { outcome: method.kind === 'bank_debit' ? 'processing' : 'succeeded', method };
}

/** Starts a top-up and returns its id; undefined if the rules now forbid it. */
function initiateOrNot(context: Context, rule: AutoTopUpRow): string | undefined {
  try {
    return initiate(context, rule);
  } catch (error) {
    if (error instanceof RuleViolation) return undefined;
    throw error;
  }
}

function initiate(context: Context, rule: AutoTopUpRow): string {
  const [account_name, asset] = rule.account_id.split(':') as [string, string];
  return initiateTopUp(context, {
    customer_id: rule.customer_id,
    amount: Number(rule.amount),
    currency: rule.currency,
    destination: { account_name, asset },
    description: 'Automatic top-up',
    return_url: rule.return_url,
    failure_url: rule.failure_url,
  }).id;
}
