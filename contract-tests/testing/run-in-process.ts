import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatheredCheck } from '../kit/check.ts';
import type { CheckRecord } from '../kit/check-run.ts';
import { complete } from '../kit/run/complete.ts';
import { openTarget, planOf } from '../kit/run/plan-run.ts';
import { isBeyondReach, preflight } from '../kit/run/preflight.ts';
import { type Flags, readRunOptions } from '../kit/run/read-options.ts';
import { assemble, type RunRecord } from '../kit/run/run.ts';
import type { WaitRecord } from '../kit/target/patience.ts';
import { beginSession } from '../kit/target/session.ts';

/** Runs some checks against an external service, as the `contract` command does, but in this process. */
export async function runInProcess(
  baseUrl: string,
  checks: readonly GatheredCheck[],
  flags: Flags,
): Promise<RunRecord> {
  const state = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    return await runChecks(checks, { timeout: 1_000, ...flags, baseUrl, state });
  } finally {
    rmSync(state, { recursive: true });
  }
}

async function runChecks(checks: readonly GatheredCheck[], flags: Flags): Promise<RunRecord> {
  const startedAt = new Date();
  const given = readRunOptions(flags);
  const options = { ...given, key: `key_test_${given.runId}` };
  const { target } = await openTarget(options);
  const waits: WaitRecord[] = [];
  const found = await preflight({ target, timeoutMs: options.timeoutMs, waits });
  const plan = planOf(options, target, found);
  await beginSession(plan);
  const records: CheckRecord[] = [];
  for (const check of isBeyondReach(found) ? [] : checks) records.push(await check.run());
  return assemble({
    ...{ options, plan, found, startedAt, waits, checks: complete(records) },
    ...{ crashes: [], entries: [], leftovers: [], endedBy: undefined },
  });
}
