import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gatherCases } from '../check.ts';
import type { CheckRecord } from '../check-record.ts';
import type { RunPlan } from '../plan.ts';
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
