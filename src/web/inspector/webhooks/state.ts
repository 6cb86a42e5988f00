import type { WebhookEventRow } from '../../../state/records.ts';
import type { Tone } from '../../badge.tsx';

const STATES = {
  'no destination': 'none',
  delivered: 'ok',
  outstanding: 'warn',
  failing: 'fail',
} as const satisfies Record<string, Tone>;

/** How far a webhook event has come on its way to its destinations. */
export function stateOf(row: WebhookEventRow): keyof typeof STATES {
  if (row.matched_destination_ids.length === 0) return 'no destination';
  if (row.successful_at !== null) return 'delivered';
  return row.failed_at === null ? 'outstanding' : 'failing';
}

export const toneOfState = (row: WebhookEventRow): Tone => STATES[stateOf(row)];
