import { readdirSync } from 'node:fs';
import { type GatheredCheck, gather } from '../gather.ts';
import { defaultPlan, type RunPlan, targetOf } from '../plan.ts';
import { beginSession } from '../target/session.ts';

const CASES = new URL('../../cases/', import.meta.url);

/** The checks of each case file. Test files share modules, so a case file defines its checks but once. */
const gathered = new Map<string, Promise<readonly GatheredCheck[]>>();

/** Every check of every case file, or of some. */
export async function gatherCases(files = caseFiles()): Promise<readonly GatheredCheck[]> {
  const checks: GatheredCheck[] = [];
  for (const file of files) {
    const found = gathered.get(file) ?? gather(() => import(new URL(file, CASES).href));
    gathered.set(file, found);
    checks.push(...(await found));
  }
  return checks;
}

function caseFiles(): readonly string[] {
  return readdirSync(CASES).filter((file) => /\.test\.[jt]s$/.test(file));
}

/**
 * Points the checks at a target of ours, with nothing of an earlier one left.
 *
 * @param changes what is planned otherwise than for a target of ours
 */
export async function pointAt(
  baseUrl: string,
  waitFactor = 1,
  changes: Partial<RunPlan> = {},
): Promise<void> {
  const key = 'key_test_selftest';
  const target = targetOf({ kind: 'ours', environment: 'test', baseUrl, key });
  await beginSession(defaultPlan(target, { waitFactor, ...changes }));
}
