import type { Advance } from '../clock/advance.ts';
import { agendaOf, attemptItem, type DoneJob } from '../clock/due.ts';
import type { AdvanceGoal } from '../clock/world-clocks.ts';
import {
  type Instant,
  instant,
  laterBy,
  parseClockTime,
  parseDuration,
} from '../domain/instant.ts';
import { gainText } from '../domain/postings.ts';
import { violate } from '../domain/rules.ts';
import type { TransactionRow, WebhookEventRow } from '../store/records.ts';
import type { Change } from '../store/row.ts';
import type { World } from '../store/world.ts';
import { wireNumber } from '../text/exact-json.ts';
import type { ScheduledAttempt } from '../webhooks/destination-queue.ts';
import type { ControlCall, ControlContext, ControlHandler } from './context.ts';

export const getClock: ControlHandler<'getClock'> = ({ query }, context) => {
  const { limit, offset = 0 } = query;
  const clock = presentClock(context);
  if (limit === undefined) return { status: 200, body: clock };
  const { world, owner, clocks } = context;
  const page = { offset, limit, ...(owner !== world.accountId && { owner }) };
  const agenda = agendaOf(world, clocks.scheduledAttempts(world), page);
  return { status: 200, body: { ...clock, agenda: { ...agenda, items: [...agenda.items] } } };
};

export const setClock: ControlHandler<'setClock'> = ({ body }, context) => {
  const { world, clocks } = context;
  const { mode } = body;
  const before = world.now;
  if (mode === 'real' && body.now != null) violate('clock.now_unexpected', 'now');
  const now =
    body.now == null ? before : (parseClockTime(body.now) ?? violate('clock.out_of_range', 'now'));
  clocks.set(world, mode, now);
  const after = mode === 'real' ? world.now : now;
  const moved = after === before ? 'none' : after > before ? 'forward' : 'backward';
  return { status: 200, body: { ...presentClock(context), moved } };
};

export const advanceClock: ControlHandler<'advanceClock'> = async ({ body }, context) => {
  const { world, clocks, worldManager } = context;
  const { dry_run = false } = body;
  const { goal, field } = goalOf(body, context);
  if (!dry_run) {
    const advance = await worldManager.advance(world, goal, field);
    return { status: 200, body: presentAdvance(world, advance, false) };
  }
  if (goal === 'delivered') return violate('clock.rehearsal_delivers', 'until');
  const rehearsal = await clocks.previewAdvance(world, goal, field);
  return { status: 200, body: presentAdvance(world, rehearsal, true) };
};

function presentClock({ world, clocks }: ControlContext) {
  return {
    now: world.now,
    mode: world.clock.state.mode,
    next_due: clocks.nextDue(world) ?? null,
    advancing: clocks.isMoving(world),
  };
}

type AdvanceBody = ControlCall<'advanceClock'>['body'];

/** The target of an advance, and the field that states it. */
function goalOf(
  { by, to, until }: AdvanceBody,
  { world, clocks }: ControlContext,
): { goal: AdvanceGoal; field: string } {
  const { now } = world;
  if ([by, to, until].filter((each) => each != null).length !== 1)
    return violate('clock.goal_ambiguous', 'by');
  if (by != null) return { goal: forward(endOf(by, now), now, 'by'), field: 'by' };
  if (to != null) return { goal: forward(instant(to), now, 'to'), field: 'to' };
  if (until === 'delivered') return { goal: until, field: 'until' };
  const next = clocks.nextDue(world) ?? now;
  return { goal: next > now ? next : now, field: 'until' };
}

function endOf(by: string, now: Instant): Instant {
  const span = parseDuration(by) ?? violate('clock.duration', 'by');
  return laterBy(now, span) ?? violate('clock.out_of_range', 'by');
}

const forward = (target: Instant, now: Instant, field: string): Instant =>
  target < now ? violate('clock.backward', field) : target;

function presentAdvance(world: World, advance: Advance, dry_run: boolean) {
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

function presentMovement(row: TransactionRow) {
  const { transaction_id, source, account_id, asset } = row;
  return { transaction_id, source, account_id, asset, amount: wireNumber(gainText(row)) };
}

function added<R>(changes: readonly Change[], table: string): R[] {
  return changes
    .filter((change) => change.table === table && change.before === undefined)
    .map(({ after }) => after as R);
}
