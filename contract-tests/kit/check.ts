import { readdirSync } from 'node:fs';
import type { Effect } from 'billing-emulator/spec';
import { it } from 'vitest';
import { differencesIn } from './assuming.ts';
import { type CheckRecord, nameOfCheck } from './check-record.ts';
import { currentCheckRun } from './check-run.ts';
import { ContractFailure, isAssertion, SafetyStop, SpecifiedBreak } from './outcome.ts';
import { addCheck, type CheckEntry, resourceOfCheck, strongestLevel } from './registry.ts';
import { type CheckBody, type CheckContext, runWithinWindow } from './run-check.ts';
import { beginOwnSession } from './target/session.ts';

interface CheckOptions {
  /** What the check tests, as numbered in `spec/requirements.yaml`: ids separated by spaces, as in the fields below. */
  readonly requirement: string;
  /** The highest effect class of what the check sends. */
  readonly effect: Effect;
  /** The assumption that it tests as a whole, then others that it depends on. */
  readonly assumes?: string;
  /** Assumptions that only parts of it depend on, by `assuming`. */
  readonly partly?: string;
  /** The capabilities of the target without which it cannot run. */
  readonly needs?: string;
}

const TIMEOUT_MS = 300_000;

/** Defines a check: one statement about the service. */
export function check(id: string, options: CheckOptions, title: string, body: CheckBody): void {
  const entry = entryOf(id, options, title);
  addCheck(entry);
  if (gathering) {
    gathering.push({ ...entry, run: async () => (await runWithinWindow(entry, body)).record });
    return;
  }
  it(nameOfCheck(entry), { timeout: TIMEOUT_MS }, async (test) => {
    await beginOwnSession();
    const { record, error } = await runWithinWindow(entry, body);
    if (['not_selected', 'not_observable'].includes(record.outcome)) test.skip(record.reason);
    if (error !== undefined) throw error;
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

/**
 * Runs every row of a table, also after one that fails.
 *
 * @throws ContractFailure naming the rows that the target failed, with the request of the first; otherwise the first
 *   error of a row
 */
async function eachRow<Row>(
  rows: Readonly<Record<string, Row>>,
  body: (row: Row) => Promise<void>,
): Promise<void> {
  const checkRun = currentCheckRun();
  const failed: { readonly name: string; readonly error: Error; readonly latest: unknown }[] = [];
  for (const [name, row] of Object.entries(rows))
    try {
      await body(row);
    } catch (error) {
      if (error instanceof SafetyStop) throw error;
      failed.push({ name, error: error as Error, latest: checkRun?.latest });
    }
  const findings = failed.filter(({ error }) => isFinding(error));
  const [first] = findings.length > 0 ? findings : failed;
  if (!first) return;
  if (checkRun) checkRun.latest = first.latest as typeof checkRun.latest;
  if (!isFinding(first.error)) throw first.error;
  throw failureOf(findings, Object.keys(rows).length);
}

const isFinding = (error: unknown): boolean =>
  error instanceof ContractFailure || isAssertion(error);

function failureOf(
  findings: readonly { readonly name: string; readonly error: Error }[],
  count: number,
): ContractFailure {
  const differences = findings.flatMap(({ name, error }) =>
    differencesIn(error).map((difference) => `${name}: ${difference}`),
  );
  const message = [`${findings.length} of ${count} rows differ:`, ...differences].join('\n  ');
  const isSpecified = findings.some(({ error }) => error instanceof SpecifiedBreak);
  return new (isSpecified ? SpecifiedBreak : ContractFailure)(message, differences);
}

function entryOf(
  id: string,
  { requirement, effect, assumes, partly, needs }: CheckOptions,
  title: string,
): CheckEntry {
  const requirements = idsOf(requirement);
  return {
    id,
    title,
    effect,
    requirements,
    resource: resourceOfCheck(id),
    level: assumes === undefined ? strongestLevel(requirements) : 'ASSUMED',
    assumes: idsOf(assumes ?? partly),
    needs: idsOf(needs),
  };
}

const idsOf = (text?: string): readonly string[] => text?.split(' ') ?? [];

/** A check taken from its case file, which can be run any number of times. */
export interface GatheredCheck extends CheckEntry {
  /** Runs it in the current session. */
  run(): Promise<CheckRecord>;
}

/** Collects checks instead of the test runner; undefined outside `gather`. */
let gathering: GatheredCheck[] | undefined;

/** Returns the checks of the case files that `load` imports, without running them. */
export async function gather(load: () => Promise<unknown>): Promise<readonly GatheredCheck[]> {
  const checks: GatheredCheck[] = [];
  gathering = checks;
  try {
    await load();
    return checks;
  } finally {
    gathering = undefined;
  }
}

let gathered: Promise<readonly GatheredCheck[]> | undefined;

/** Returns the checks of all case files, without running them. */
export function gatherCases(): Promise<readonly GatheredCheck[]> {
  gathered ??= gather(importCases);
  return gathered;
}

const CASES = new URL('../cases/', import.meta.url);

/** Imports each case file as a module of its own, as a test runner may have imported the file before. */
async function importCases(): Promise<void> {
  const files = readdirSync(CASES).filter((file) => /\.test\.[jt]s$/.test(file));
  for (const file of files) await import(new URL(`${file}?gathered`, CASES).href);
}
