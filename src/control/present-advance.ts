import type { Advance } from '../jobs/advance-log.ts';
import { attemptItem } from '../jobs/agenda.ts';
import type { DoneJob } from '../jobs/due.ts';
import type { TransactionRow, WebhookEventRow } from '../state/records.ts';
import type { Change } from '../state/table.ts';
import type { World } from '../state/world.ts';
import { wireNumber } from '../text/exact-json.ts';
import type { ScheduledAttempt } from '../webhooks/scheduled-attempts.ts';

/** An advance as answers show it. */
export function presentAdvance(world: World, advance: Advance, dry_run: boolean) {
  const { from, now, mode_before, mode, steps, count } = advance;
  const items = steps.map((step) => presentStep(world, step));
  return { from, now, mode_before, mode, dry_run, items, total_count: count };
}

function presentStep(world: World, step: DoneJob | ScheduledAttempt) {
  if (!('changes' in step)) return { ...attemptItem(world, step), movements: [] };
  const { at, kind, subject, outcome, fee, changes } = step;
  const fired = added<WebhookEventRow>(changes, 'webhook_events').map(({ event_id }) => event_id);
  return {
    at,
    kind,
    ...subject,
    ...(outcome !== undefined && { outcome }),
    ...(fee && { fee: { currency: fee.currency, amount: wireNumber(fee.amount) } }),
    movements: added<TransactionRow>(changes, 'transactions').map(presentMovement),
    ...(fired.length > 0 && { webhook_event_ids: [...new Set(fired)] }),
  };
}

function presentMovement({ transaction_id, source, account_id, asset, amount }: TransactionRow) {
  return { transaction_id, source, account_id, asset, amount: wireNumber(amount) };
}

/** The rows that came into a table. */
function added<R>(changes: readonly Change[], table: string): R[] {
  return changes
    .filter((change) => change.table === table && change.before === undefined)
    .map(({ after }) => after as R);
}
