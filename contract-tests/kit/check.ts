import type { Effect } from 'billing-emulator/spec';
import { it, type TestContext } from 'vitest';
import { gathering } from './gather.ts';
import { runWithinWindow } from './lagging.ts';
import { addCheck, type CheckEntry, type Level, resourceOfCheck } from './registry.ts';
import type { CheckBody, CheckContext } from './run-check.ts';
import { eachRow } from './table.ts';
import { leaveGivenSession, session } from './target/session.ts';
import { blankRecord, type CheckRecord, nameOfCheck } from './trial.ts';

export interface CheckOptions {
  /** What the check tests, as numbered in `spec/requirements.yaml`. */
  readonly requirement: string | readonly string[];
  readonly level: Level;
  /** The highest effect class of what the check sends. */
  readonly effect: Effect;
  /** The assumptions that it depends on. A check of level ASSUMED tests the first as a whole. */
  readonly assumes?: string | readonly string[];
  /** The capabilities of the target without which it cannot run. */
  readonly needs?: string | readonly string[];
}

declare module 'vitest' {
  interface TaskMeta {
    contract?: CheckRecord;
  }
}

const TIMEOUT_MS = 300_000;

/** Defines a check: one statement about the service. */
export function check(id: string, options: CheckOptions, title: string, body: CheckBody): void {
  const entry = entryOf(id, options, title);
  addCheck(entry);
  const gathered = gathering();
  if (gathered) {
    gathered.push({
      ...{ id, title },
      async run() {
        const record = blankRecord(entry);
        await runWithinWindow(record, entry, body);
        return record;
      },
    });
    return;
  }
  leaveGivenSession();
  it(nameOfCheck(entry), { timeout: TIMEOUT_MS }, async (test) => {
    const record = blankRecord(entry);
    test.task.meta.contract = record;
    const error = await runWithinWindow(record, entry, body);
    test.task.meta.contract = (await session()).redactor.all(record);
    finish(test, record, error);
  });
}

/**
 * Defines a check that makes the same statement about several cases.
 *
 * @param rows the cases by their names, which a failure quotes; all run, also when one fails
 */
export function table<Row>(
  id: string,
  options: CheckOptions,
  title: string,
  rows: Readonly<Record<string, Row>>,
  body: (row: Row, t: CheckContext) => Promise<void>,
): void {
  check(id, options, title, (t) => eachRow(rows, (row) => body(row, t)));
}

function entryOf(
  id: string,
  { requirement, level, effect, assumes = [], needs = [] }: CheckOptions,
  title: string,
): CheckEntry {
  return {
    ...{ id, title, level, effect, resource: resourceOfCheck(id) },
    requirements: [requirement].flat(),
    assumes: [assumes].flat(),
    needs: [needs].flat(),
  };
}

function finish(test: TestContext, record: CheckRecord, error: unknown): void {
  if (error === undefined) return;
  if (['not_selected', 'not_observable'].includes(record.outcome)) test.skip(record.reason);
  throw error;
}
