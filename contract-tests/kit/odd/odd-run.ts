import type { GatheredCheck } from '../gather.ts';
import { defaultPlan } from '../plan.ts';
import { assemble } from '../run/assemble.ts';
import { NO_CAPABILITIES } from '../run/capabilities.ts';
import { complete } from '../run/complete.ts';
import { preflight } from '../run/preflight.ts';
import type { RunRecord } from '../run/record.ts';
import { keyPlaceOf } from '../target/client.ts';
import type { WaitRecord } from '../target/patience.ts';
import { beginSession } from '../target/session.ts';
import type { CheckRecord } from '../trial.ts';

/** Runs some checks against an address of somebody else's service, in this process. */
export async function oddRun(
  baseUrl: string,
  checks: readonly GatheredCheck[],
  options: { readonly runId: string; readonly consistencyMs?: number | undefined },
): Promise<RunRecord> {
  const startedAt = new Date();
  const serviceName = 'Service';
  const waits: WaitRecord[] = [];
  const target = {
    ...({ kind: 'external', baseUrl, key: `key_test_${options.runId}`, serviceName } as const),
    ...({
      keyPlace: keyPlaceOf(serviceName),
      environment: 'unknown',
      accountId: undefined,
    } as const),
    clockSkewMs: 0,
  };
  const timeoutMs = 1_000;
  const found = await preflight({ target, timeoutMs, waits });
  const { environment, accountId } = found;
  const plan = defaultPlan(
    { ...target, environment, accountId },
    {
      ...{ timeoutMs, runId: options.runId, consumables: Number.POSITIVE_INFINITY },
      consistencyMs: options.consistencyMs,
    },
  );
  await beginSession(plan);
  const records: CheckRecord[] = [];
  for (const check of checks) records.push(await check.run());
  return assemble({
    ...{ plan, found, startedAt, waits, checks: complete(records) },
    options: { profile: 'full', workers: 1, runId: options.runId, seed: 0 },
    ...{
      capabilities: NO_CAPABILITIES,
      crashes: [],
      rounds: 1,
      isExcerpt: true,
      entries: [],
      leftovers: [],
    },
    endedBy: undefined,
  });
}
