import { isRed, RED } from './outcome.ts';
import type { CheckEntry } from './registry.ts';
import { type CheckBody, runCheck } from './run-check.ts';
import { USUAL_WINDOW_MS } from './target/consistency.ts';
import { type Session, session } from './target/session.ts';
import { blankRecord, type CheckRecord, isWrong } from './trial.ts';

/** The note on a failed check that passes once reads are delayed after writes. */
export const LAGS = 'passes when reads wait after writes';

const FIRST_DELAY_MS = 100;
const MAX_TRIED = 3;

/**
 * Runs a check. When it fails on an external target in a way that eventual consistency would explain, runs it again
 * with delayed reads. With `--consistency` the second result counts, and later reads are delayed as far as needed;
 * without it, the record only notes that the check would pass.
 */
export async function runWithinWindow(
  record: CheckRecord,
  entry: CheckEntry,
  body: CheckBody,
): Promise<unknown> {
  const current = await session();
  const { plan, consistency } = current;
  consistency.wasHasty = false;
  const error = await runCheck(record, entry, body);
  if (!mayLag(record, current)) return error;
  const before = consistency.delayMs;
  const window = plan.consistencyMs ?? USUAL_WINDOW_MS;
  const again = blankRecord(entry);
  consistency.delayMs = window;
  const errorAgain = await runCheck(again, entry, body);
  consistency.delayMs = before;
  const exchanges = [...record.exchanges, ...again.exchanges];
  const waits = [...record.waits, ...again.waits];
  const isDeclared = plan.consistencyMs !== undefined;
  const isGood = isSound(again);
  if (isGood && isDeclared) {
    consistency.delayMs = Math.min(window, Math.max(FIRST_DELAY_MS, 2 * before));
    Object.assign(record, again);
  }
  Object.assign(record, { exchanges, waits: isDeclared ? waits : record.waits });
  if (isGood && !isDeclared) record.notes.push(LAGS);
  return isGood && isDeclared ? errorAgain : error;
}

function mayLag(record: CheckRecord, { plan, consistency, stopped }: Session): boolean {
  if (plan.target.kind === 'ours' || !consistency.wasHasty || stopped !== undefined) return false;
  if (isSound(record) || !isOfLag(record)) return false;
  if (plan.consistencyMs !== undefined) return consistency.delayMs < plan.consistencyMs;
  consistency.tried += RED.has(record.outcome) ? 1 : 0;
  return RED.has(record.outcome) && consistency.tried <= MAX_TRIED;
}

/** Whether stale reads can explain the outcome. A wrong shape, or an error status other than 404, has another cause. */
function isOfLag({ outcome, failure, shapes }: CheckRecord): boolean {
  const status = failure?.status ?? (failure === undefined ? 200 : 500);
  return !shapes.some(isWrong) && outcome !== 'harness_error' && (status === 404 || status < 300);
}

function isSound(record: CheckRecord): boolean {
  const isRefuted = record.assumptions.some(({ verdict }) => verdict === 'refuted');
  return !isRefuted && !isRed(record) && record.outcome !== 'refuted';
}
