import type { Effect } from 'billing-emulator/spec';
import { it, type TestContext } from 'vitest';
import { exceeds, highest } from './effects.ts';
import { gathering } from './gather.ts';
import {
  ContractFailure,
  HarnessError,
  isAssertion,
  NotSelected,
  type Outcome,
  outcomeOf,
  SafetyStop,
  SpecifiedBreak,
  Unreachable,
} from './outcome.ts';
import { type CheckEntry, registry } from './registry.ts';
import { reasonNotSelected } from './selection.ts';
import { curlOfRequest } from './target/exchange.ts';
import { withoutValues } from './target/redact.ts';
import { type Session, session } from './target/session.ts';
import {
  type CheckRecord,
  currentTrial,
  type FailureRecord,
  type Trial,
  withTrial,
} from './trial.ts';

/** What a check may say beside what it finds. */
export interface CheckContext {
  /** Writes down what was seen where several answers are acceptable. */
  observe(name: string, value: unknown): void;
  /** The same, for a value that a setting of the emulator can follow. */
  observeSetting(setting: string, value: unknown): void;
  /** Undoes something after the check, whatever its outcome. What fails here is residue. */
  afterwards(undo: () => Promise<unknown>): void;
  note(text: string): void;
}

export interface CheckOptions {
  /** Class of this part, where the check has parts of several classes. */
  readonly effect?: Effect;
  /** What this part is about, where the check has several. */
  readonly title?: string;
}

export type CheckBody = (t: CheckContext) => Promise<void>;

declare module 'vitest' {
  interface TaskMeta {
    contract?: CheckRecord;
  }
}

const TIMEOUT_MS = 300_000;

/**
 * Defines a check. Level, effect class and requirements come from the lists by its id.
 *
 * @throws HarnessError when no list names the id
 */
export function check(ids: string | readonly string[], body: CheckBody): void;
export function check(
  ids: string | readonly string[],
  options: CheckOptions,
  body: CheckBody,
): void;
export function check(
  given: string | readonly string[],
  ...rest: readonly [CheckBody] | readonly [CheckOptions, CheckBody]
): void {
  const [options, body] = rest.length === 2 ? rest : [{}, rest[0]];
  const entries = [given].flat().map(entryOf);
  const first = entries[0] as CheckEntry;
  const title = options.title ?? first.text;
  const gathered = gathering();
  if (gathered) {
    gathered.push({
      ids: [given].flat(),
      title,
      async run() {
        const record = blankRecord(entries, title, options.effect);
        await runCheck(record, entries, body);
        return record;
      },
    });
    return;
  }
  it(`${[given].flat().join(' ')} ${title}`, { timeout: TIMEOUT_MS }, async (test) => {
    const record = blankRecord(entries, title, options.effect);
    test.task.meta.contract = record;
    const error = await runCheck(record, entries, body);
    test.task.meta.contract = (await session()).redactor.all(record);
    finish(test, record, error);
  });
}

/**
 * Runs what rests on a decision that the specification leaves open. It is confirmed or refuted; refuted is a
 * failure only where the target is meant to follow the decisions. Answers what the body answers, or undefined
 * when refuted.
 */
export async function assuming<T>(
  id: string,
  _t: CheckContext,
  body: () => Promise<T>,
): Promise<T | undefined> {
  const { plan } = await session();
  const trial = currentTrial();
  if (!trial || !registry().assumptions.has(id))
    throw new HarnessError(`There is no decision ${id}`);
  try {
    const value = await body();
    trial.record.assumptions.push({ id, verdict: 'confirmed', detail: undefined });
    return value;
  } catch (error) {
    const isRefutation =
      isAssertion(error) ||
      (error instanceof ContractFailure && !(error instanceof SpecifiedBreak));
    if (!isRefutation) throw error;
    trial.record.assumptions.push({
      id,
      verdict: 'refuted',
      detail: await clean((error as Error).message),
    });
    if (plan.insistOnAssumptions) throw error;
    return undefined;
  }
}

function entryOf(id: string): CheckEntry {
  const entry = registry().checks.get(id);
  if (!entry) throw new HarnessError(`No list names the check ${id}`);
  return entry;
}

function blankRecord(
  entries: readonly CheckEntry[],
  title: string,
  effect: Effect | undefined,
): CheckRecord {
  const { level, resource, effects } = entries[0] as CheckEntry;
  return {
    ids: entries.map(({ id }) => id),
    title,
    resource,
    level,
    effect: effect ?? highest(effects),
    requirements: [...new Set(entries.flatMap(({ requirements }) => requirements))],
    outcome: 'pass',
    reason: undefined,
    failure: undefined,
    milliseconds: 0,
    exchanges: [],
    assumptions: [],
    observations: [],
    shapes: [],
    notes: [],
  };
}

/** Runs a check to its record; answers what was thrown, if anything. */
async function runCheck(
  record: CheckRecord,
  entries: readonly CheckEntry[],
  body: CheckBody,
): Promise<unknown> {
  const current = await session();
  const trial: Trial = {
    record,
    latest: undefined,
    afterwards: [],
    isBuilding: false,
    isUsingUp: false,
  };
  const started = performance.now();
  const error = await withTrial(trial, async () => {
    try {
      select(record, entries, current);
      current.guard.doubt();
      await inFull(entries, body, contextOf(trial, current));
      return undefined;
    } catch (thrown) {
      return thrown;
    }
  });
  record.milliseconds = Math.round(performance.now() - started);
  settle(trial, error, current);
  await withTrial(trial, () => undo(trial));
  return error;
}

function select(
  record: CheckRecord,
  entries: readonly CheckEntry[],
  { plan, stopped }: Session,
): void {
  if (stopped !== undefined) throw new NotSelected(stopped);
  const reason = reasonNotSelected(entries, plan.selection);
  if (reason !== undefined) throw new NotSelected(reason);
  if (exceeds(record.effect, plan.ceiling))
    throw new NotSelected(`${record.effect} is beyond the ceiling ${plan.ceiling}`);
  const missing = entries
    .flatMap(({ needs }) => needs)
    .find((need) => need !== 'receiver' && !plan.offers.includes(need));
  if (missing !== undefined) throw new NotSelected(`needs a target that offers ${missing}`);
}

/** A check that rests on a decision as a whole is one assumption from its first line to its last. */
async function inFull(
  entries: readonly CheckEntry[],
  body: CheckBody,
  t: CheckContext,
): Promise<void> {
  const { level, assumption } = entries[0] as CheckEntry;
  const [id] = assumption;
  if (level === 'ASSUMED' && id !== undefined) await assuming(id, t, () => body(t));
  else await body(t);
}

function contextOf({ record, afterwards }: Trial, { plan }: Session): CheckContext {
  const observe = (name: string, value: unknown, setting?: string): void => {
    const text = plan.showsValues ? String(value) : withoutValues(String(value));
    record.observations.push({ name, value: text, setting });
  };
  return {
    observe,
    observeSetting: (setting, value) => observe(setting, value, setting),
    afterwards: (step) => void afterwards.unshift(step),
    note: (text) => void record.notes.push(text),
  };
}

async function undo(trial: Trial): Promise<void> {
  trial.isBuilding = true;
  for (const step of trial.afterwards) {
    try {
      await step();
    } catch (error) {
      trial.record.notes.push(await clean(`left behind: ${(error as Error).message}`));
    }
  }
}

function settle({ record, latest }: Trial, error: unknown, current: Session): void {
  const { plan, redactor } = current;
  if (error === undefined) {
    record.outcome = settledWell(record, plan.insistOnAssumptions, plan.isClosed);
    return;
  }
  if (error instanceof SafetyStop) current.stopped = `stopped: ${error.message}`;
  const message = (error as Error).message ?? String(error);
  const shown = redactor.text(plan.showsValues ? message : withoutValues(message));
  record.outcome = outcomeOf(error);
  record.reason = error instanceof Unreachable ? `no answer: ${message}` : shown;
  if (error instanceof SafetyStop) record.notes.push('safety stop');
  if (error instanceof Unreachable) record.notes.push('unreachable');
  if (record.outcome === 'fail' || record.outcome === 'harness_error') {
    const failure: FailureRecord = {
      message: shown,
      operation: latest?.operation,
      status: latest?.status,
      differences: error instanceof ContractFailure ? error.differences : [firstLine(shown)],
      curl:
        latest &&
        redactor.text(
          curlOfRequest(latest.request, {
            place: plan.target.keyPlace,
            showsValues: plan.showsValues,
          }),
        ),
    };
    record.failure = failure;
  }
}

function settledWell(record: CheckRecord, insists: boolean, isClosed: boolean): Outcome {
  const isRefuted = record.assumptions.some(({ verdict }) => verdict === 'refuted');
  if (record.level === 'ASSUMED' && !insists) return isRefuted ? 'refuted' : 'confirmed';
  if (isClosed && record.shapes.some(({ kind }) => kind === 'undeclared')) return 'warn';
  return 'pass';
}

function finish(test: TestContext, record: CheckRecord, error: unknown): void {
  if (error === undefined) return;
  if (['not_selected', 'not_observable'].includes(record.outcome)) test.skip(record.reason);
  throw error;
}

async function clean(message: string): Promise<string> {
  const { plan, redactor } = await session();
  return firstLine(redactor.text(plan.showsValues ? message : withoutValues(message)));
}

function firstLine(text: string): string {
  return text.split('\n')[0] as string;
}
