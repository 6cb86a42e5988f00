import { currentHolding, type Held, holdFrom } from '../../domain/holdings.ts';
import type { SubscriptionRow } from '../../state/records.ts';
import type { Context } from '../context.ts';

/**
 * Keeps a subscription whose status or versions may have changed, and with it what it holds from a moment
 * on. What it held before stays, as late usage is billed by it.
 *
 * @assumes
 */
export function keepSubscription(
  { tables, now }: Pick<Context, 'tables' | 'now'>,
  subscription: SubscriptionRow,
  from = now,
): SubscriptionRow {
  const history = holdFrom(subscription.history, from, heldBy(subscription));
  return tables.subscriptions.put({ ...subscription, history });
}

/** One that waits for a payment holds on, past due, where it held until then. */
function heldBy({ status, begins_at, products, history }: SubscriptionRow): Held | undefined {
  if (status === 'active') return begins_at === undefined ? { products } : undefined;
  const isPastDue = status === 'action_required' && currentHolding(history) !== undefined;
  return isPastDue ? { products, past_due: true } : undefined;
}
