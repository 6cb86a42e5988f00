import { assuming, differencesIn, restingOnUnshown } from './assuming.ts';
import { blankRecord, type CheckRecord } from './check-record.ts';
import { CheckRun, withCheckRun } from './check-run.ts';
import { closingReads } from './closing-reads.ts';
import {
  BrokenResponse,
  isRed,
  NotSelected,
  type Outcome,
  outcomeOf,
  SafetyStop,
  Unreachable,
} from './outcome.ts';
import type { CheckEntry } from './registry.ts';
import { reasonNotRun } from './selection.ts';
import { USUAL_WINDOW_MS } from './target/consistency.ts';
import { curlOfRequest } from './target/curl.ts';
import { currentSession, isAnswering, type Session } from './target/session.ts';

/** What a check can record besides its result. */
export interface CheckContext {
  /** Records an observed value where several responses are acceptable. */
  observe(name: string, value: unknown): void;
  /** Registers a step that runs after the check, whatever its outcome. A failed step leaves residue, which is noted. */
  afterwards(undo: () => Promise<unknown>): void;
}

export type CheckBody = (t: CheckContext) => Promise<void>;

/** One run of a check: its record, and the error that it threw. */
interface CheckResult {
  record: CheckRecord;
  error: unknown;
}

/** Runs a check in the current session. */
export async function runCheck(entry: CheckEntry, body: CheckBody): Promise<CheckResult> {
  const current = currentSession();
  const record = blankRecord(entry);
  const checkRun = new CheckRun(record);
  const started = performance.now();
  const error = await withCheckRun(checkRun, async () => {
    try {
      select(entry, current);
      current.guard.doubt();
      await inFull(entry, body, contextOf(checkRun));
      // Others can change what a foreign target holds.
      if (current.plan.target.kind === 'ours') await closingReads(checkRun);
      return undefined;
    } catch (thrown) {
      return restingOnUnshown(thrown, checkRun, current);
    }
  });
  record.milliseconds = Math.round(performance.now() - started);
  settle(checkRun, error, current);
  if (isWithoutAnswer(error) && !(await isAnswering(current.plan))) {
    current.stopped = GONE;
    Object.assign(record, { outcome: 'untestable', reason: GONE, failure: undefined });
    record.notes.push(GONE);
  }
  await withCheckRun(checkRun, () => undo(checkRun));
  return { record, error };
}

/** The note on a check during which the target stopped responding. */
export const GONE = 'the target stopped responding';

const isWithoutAnswer = (error: unknown): boolean =>
  [error, (error as Error | undefined)?.cause].some(
    (one) => one instanceof Unreachable || one instanceof BrokenResponse,
  );

function select(entry: CheckEntry, { plan, stopped }: Session): void {
  if (stopped !== undefined) throw new NotSelected(stopped);
  const reason = reasonNotRun(entry, plan);
  if (reason !== undefined) throw new NotSelected(reason);
}

/** A check of level ASSUMED runs entirely under its assumption. */
async function inFull(
  { level, assumes: [id] }: CheckEntry,
  body: CheckBody,
  t: CheckContext,
): Promise<void> {
  if (level === 'ASSUMED' && id !== undefined) await assuming(id, () => body(t));
  else await body(t);
}

function contextOf({ record, afterwards }: CheckRun): CheckContext {
  return {
    observe: (name, value) => void record.observations.push({ name, value: String(value) }),
    afterwards: (step) => void afterwards.unshift(step),
  };
}

async function undo(checkRun: CheckRun): Promise<void> {
  checkRun.isBuilding = true;
  for (const step of checkRun.afterwards) {
    try {
      await step();
    } catch (error) {
      checkRun.record.notes.push(`left behind: ${(error as Error).message}`);
    }
  }
}

function settle({ record, latest }: CheckRun, error: unknown, current: Session): void {
  const { plan } = current;
  if (error === undefined) {
    record.outcome = settledWell(record, plan.target.kind === 'ours');
    return;
  }
  if (error instanceof SafetyStop) current.stopped = `stopped: ${error.message}`;
  const { message } = error as Error;
  record.outcome = outcomeOf(error, plan.target.kind === 'external' && record.exchanges.length > 0);
  record.reason = error instanceof Unreachable ? `no answer: ${message}` : message;
  if (error instanceof SafetyStop) record.notes.push('safety stop');
  if (['fail', 'harness_error', 'untestable'].includes(record.outcome))
    record.failure = {
      operation: latest?.operation,
      status: latest?.status,
      curl: latest && curlOfRequest(latest.request, plan.target),
      differences: differencesIn((error as Error).cause ?? error),
    };
}

const isRefuted = ({ assumptions }: CheckRecord): boolean =>
  assumptions.some(({ verdict }) => verdict === 'refuted');

function settledWell(record: CheckRecord, isOurs: boolean): Outcome {
  if (record.level === 'ASSUMED' && !isOurs) return isRefuted(record) ? 'refuted' : 'confirmed';
  return 'pass';
}

/** How many failed checks run again in a run without `--consistency`. */
const MAX_TRIED = 3;

/**
 * Runs a check. On a target elsewhere, one that fails runs again, with reads that wait after writes. With
 * `--consistency` the second result counts. Without it, a check that now passes is unstable, and only the first few
 * failed checks are repeated.
 */
export async function runWithinWindow(entry: CheckEntry, body: CheckBody): Promise<CheckResult> {
  const current = currentSession();
  const { plan, consistency } = current;
  const first = await runCheck(entry, body);
  if (!isRepeated(first.record, current)) return first;
  const window = plan.consistencyMs ?? USUAL_WINDOW_MS;
  consistency.delayMs = window;
  const again = await runCheck(entry, body);
  consistency.delayMs = 0;
  const isGood = isSound(again.record);
  const counts = isGood && plan.consistencyMs !== undefined ? again : first;
  const exchanges = [...first.record.exchanges, ...again.record.exchanges];
  const record = { ...counts.record, exchanges };
  if (again.record.notes.includes(GONE)) record.notes.push(GONE);
  if (counts === again || !isGood) return { ...counts, record };
  record.outcome = 'unstable';
  record.reason = `failed, then passed with reads that wait ${window / 1000} s after writes, as --consistency declares: ${record.failure?.differences[0]}`;
  return { record, error: undefined };
}

function isRepeated(record: CheckRecord, { plan, consistency, stopped }: Session): boolean {
  if (plan.target.kind === 'ours' || stopped !== undefined) return false;
  if (plan.consistencyMs !== undefined) return plan.consistencyMs > 0 && !isSound(record);
  if (!isRed(record)) return false;
  consistency.tried += 1;
  return consistency.tried <= MAX_TRIED;
}

const isSound = (record: CheckRecord): boolean =>
  !isRefuted(record) && !isRed(record) && record.outcome !== 'refuted';
