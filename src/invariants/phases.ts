import { FIRST_INSTANT, LAST_INSTANT } from '../domain/instant.ts';
import type { SubscriptionRow } from '../store/records.ts';
import type { RecordTables } from '../store/schema.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import { expected, findInEach, type Violation } from './invariant.ts';

/** Verifies the phases of subscriptions. @assumes A-608 */
export const verifyPhases = ({ subscriptions }: RecordTables): TimeSliced<Violation[]> =>
  findInEach(subscriptions.values(), validateHistory);

/** Phases must follow each other, and the last one must agree with the subscription's own fields. */
function validateHistory(subscription: SubscriptionRow): Violation[] {
  const { id, customer_id, history } = subscription;
  const messages: string[] = [];
  let end = FIRST_INSTANT;
  for (const { from, to } of history) {
    const isEmpty = to !== undefined && to <= from;
    if (from < end || isEmpty)
      messages.push(`Expected a time after ${end}, got ${from} to ${to ?? LAST_INSTANT}.`);
    end = to ?? LAST_INSTANT;
  }
  const last = history.at(-1);
  const held = last?.to === undefined ? last : undefined;
  const recorded = held ? formatPhase(held.past_due, held.products) : 'nothing';
  const due = heldNow(subscription, recorded);
  if (recorded !== due) messages.push(expected(due, recorded));
  return messages.map((message) => ({ invariant: 'phases_in_order', id, customer_id, message }));
}

/** The current phase by the subscription's own fields; one that awaits a payment may have none yet. */
function heldNow({ status, begins_at, products }: SubscriptionRow, recorded: string): string {
  if (status === 'active' && begins_at === undefined) return formatPhase(undefined, products);
  return status === 'action_required' && recorded !== 'nothing'
    ? formatPhase(true, products)
    : 'nothing';
}

function formatPhase(pastDue: true | undefined, products: SubscriptionRow['products']): string {
  const versions = products.map(({ id, version }) => `${id} ${version}`).join(', ');
  return pastDue ? `${versions}, past due` : versions;
}
