import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aWebhook } from '../builders/objects.ts';
import { gatherCases } from '../check.ts';
import type { CheckRecord } from '../check-run.ts';
import { exceeds, isLoopbackTarget, type RunPlan } from '../plan.ts';
import type { CheckEntry } from '../registry.ts';
import { type CheckContext, runCheck } from '../run-check.ts';
import { api } from '../target/api.ts';
import { aReceiver, closeReceiver } from '../target/receiver.ts';
import { beginSession } from '../target/session.ts';
import { openPool } from './pool.ts';
import type { RunWorkerData } from './run-worker.ts';

const WORKER = new URL(`run-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/**
 * Runs all checks. Returns their records, and what went wrong outside of checks.
 *
 * @param resourceEnded receives the records of a resource once all its checks have run
 * @param signal ends the run after the current checks
 */
export async function runChecks(
  plan: RunPlan,
  resourceEnded: (records: readonly CheckRecord[]) => void,
  signal: AbortSignal,
): Promise<{ readonly records: readonly CheckRecord[]; readonly crashes: readonly string[] }> {
  const checks = await gatherCases();
  const records: CheckRecord[] = [];
  const keep = (record: CheckRecord): void => {
    records.push(record);
    const isNear = ({ resource }: { readonly resource: string }) => resource === record.resource;
    const ended = records.filter(isNear);
    if (ended.length === checks.filter(isNear).length) resourceEnded(ended);
  };
  const pool = openPool<string, CheckRecord>(
    WORKER,
    plan.workers,
    (thread) => ({ plan, thread }) satisfies RunWorkerData,
  );
  try {
    const ids = checks.map(({ id }) => id);
    await pool.runAll(ids, keep, signal);
    return { records, crashes: [] };
  } catch (error) {
    return { records, crashes: [(error as Error).stack ?? String(error)] };
  } finally {
    await pool.close();
  }
}

const PROBE: CheckEntry = {
  id: 'deliveries',
  title: 'a test event arrives at the receiver of this run',
  level: 'MUST',
  effect: 'E2',
  resource: 'webhooks',
  requirements: [],
  assumes: [],
  needs: [],
};

/**
 * Sends one test event to the receiver of the run. Returns the receiver's address when the service dispatches it and it
 * does not arrive within the time, undefined when it arrives or the target cannot be asked.
 */
export async function unreachableReceiver(
  plan: RunPlan,
  withinMs = 5_000,
): Promise<string | undefined> {
  const { target, ceiling, receiver } = plan;
  const hasReceiver = receiver !== undefined || isLoopbackTarget(target.baseUrl);
  if (target.kind === 'ours' || !hasReceiver || exceeds('E2', ceiling)) return undefined;
  beginSession({ ...plan, selection: { only: [], skip: [] } });
  let address: string | undefined;
  await runCheck(PROBE, async (t: CheckContext) => {
    const { url, next } = await aReceiver(t);
    const { id } = await aWebhook(t, { url });
    const path = { webhookId: id, topic: 'subscription.activated' };
    await api('testWebhook', { path, body: {} }, 202);
    address = new URL(url).origin;
    await next(undefined, withinMs);
    address = undefined;
  });
  await closeReceiver();
  return address;
}
