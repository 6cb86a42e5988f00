import { currentPhase, type Held, startPhase } from '../../domain/holdings.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';

/**
 * Stores a subscription whose status or versions can have changed, with its holding from a moment on. Earlier
 * holdings stay, because late usage is billed by them.
 *
 * @assumes
 */
export function keepSubscription(
  { tables, now }: Pick<Context, 'tables' | 'now'>,
  subscription: SubscriptionRow,
  from = now,
): SubscriptionRow {
  const history = startPhase(subscription.history, from, heldBy(subscription));
  return tables.subscriptions.put({ ...subscription, history });
}

/** While a subscription waits for a renewal payment, it keeps its holding as past due. */
function heldBy({ status, begins_at, products, history }: SubscriptionRow): Held | undefined {
  if (status === 'active') return begins_at === undefined ? { products } : undefined;
  const isPastDue = status === 'action_required' && currentPhase(history) !== undefined;
  return isPastDue ? { products, past_due: true } : undefined;
}
