import { readdirSync } from 'node:fs';
import { type GatheredCheck, gather } from '../kit/gather.ts';
import { defaultPlan, type RunPlan, targetOf } from '../kit/plan.ts';
import { beginSession } from '../kit/target/session.ts';

const CASES = new URL('../cases/', import.meta.url);

/**
 * The checks of each case file, cached, because a module defines its checks only on its first import. Each is a module
 * of its own here, as a test runner may have imported the file before.
 */
const gathered = new Map<string, Promise<readonly GatheredCheck[]>>();

/** Returns the checks of the case files; of all files by default. */
export async function gatherCases(files = caseFiles()): Promise<readonly GatheredCheck[]> {
  const checks: GatheredCheck[] = [];
  for (const file of files) {
    const found =
      gathered.get(file) ?? gather(() => import(new URL(`${file}?gathered`, CASES).href));
    gathered.set(file, found);
    checks.push(...(await found));
  }
  return checks;
}

const caseFiles = (): readonly string[] =>
  readdirSync(CASES).filter((file) => /\.test\.[jt]s$/.test(file));

/**
 * Starts a new session against this target, as for an emulator that the run started.
 *
 * @param changes fields of the plan that differ from the default plan
 */
export async function pointAt(baseUrl: string, changes: Partial<RunPlan> = {}): Promise<void> {
  const key = 'key_test_selftest';
  const target = targetOf({ kind: 'ours', environment: 'test', baseUrl, key });
  await beginSession(defaultPlan(target, changes));
}
