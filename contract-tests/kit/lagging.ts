import { blankRecord, type CheckRecord, isWrong } from './check-run.ts';
import { isRed, OUTCOMES } from './outcome.ts';
import type { CheckEntry } from './registry.ts';
import { type CheckBody, GONE, runCheck } from './run-check.ts';
import { USUAL_WINDOW_MS } from './target/patience.ts';
import { type Session, session } from './target/session.ts';

const FIRST_DELAY_MS = 100;
/** How many failed checks run again in a run without `--consistency`. */
const MAX_TRIED = 3;

/**
 * Runs a check. On a target elsewhere, one that fails runs again, with reads that wait after writes. With
 * `--consistency` the second result counts where late reads explain the first, and later reads wait as far as needed.
 * Without it, a check that now passes is unstable, and only the first few failed checks are repeated.
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
  if (!isRepeated(record, current)) return error;
  const before = consistency.delayMs;
  const window = plan.consistencyMs ?? USUAL_WINDOW_MS;
  const again = blankRecord(entry);
  consistency.delayMs = window;
  const errorAgain = await runCheck(again, entry, body);
  consistency.delayMs = before;
  const exchanges = [...record.exchanges, ...again.exchanges];
  const waits = [...record.waits, ...again.waits];
  const isGood = isSound(again);
  if (isGood && plan.consistencyMs !== undefined) {
    consistency.delayMs = Math.min(window, Math.max(FIRST_DELAY_MS, 2 * before));
    Object.assign(record, again, { exchanges, waits });
    return errorAgain;
  }
  Object.assign(record, { exchanges, waits });
  if (again.notes.includes(GONE)) record.notes.push(GONE);
  if (isGood) {
    record.outcome = 'unstable';
    record.reason = `failed, then passed with reads that wait ${window / 1000} s after writes, as --consistency declares: ${record.failure?.differences[0]}`;
  }
  return isGood ? undefined : error;
}

function isRepeated(record: CheckRecord, { plan, consistency, stopped }: Session): boolean {
  if (plan.target.kind === 'ours' || stopped !== undefined || isSound(record)) return false;
  if (plan.consistencyMs !== undefined)
    return consistency.wasHasty && isOfLag(record) && consistency.delayMs < plan.consistencyMs;
  if (OUTCOMES[record.outcome].counts !== 'failed') return false;
  consistency.tried += 1;
  return consistency.tried <= MAX_TRIED;
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
