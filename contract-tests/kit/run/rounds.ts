import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { gatherCases } from '../gather.ts';
import { isRed } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';
import { resourceOfCheck } from '../registry.ts';
import type { CheckRecord } from '../trial.ts';
import { openPool } from './pool.ts';
import type { RunWorkerData } from './run-worker.ts';

export interface RoundsQuestion {
  readonly plan: RunPlan;
  /** How often all checks run. */
  readonly repeats: number;
  /** The order of the first round; 0 keeps that of the files. Each later round takes the next number. */
  readonly seed: number;
  /** Ends the run after the current checks. */
  readonly signal: AbortSignal;
  /** Receives the records of a resource once all its checks have run. */
  resourceEnded(records: readonly CheckRecord[]): void;
}

/** Runs all checks, as often as asked for. Returns one record for each, and what went wrong outside of checks. */
export async function runRounds(question: RoundsQuestion): Promise<{
  readonly records: readonly CheckRecord[];
  readonly crashes: readonly string[];
}> {
  const { repeats, seed, signal, plan } = question;
  const ids = (await gatherCases()).map(({ id }) => id);
  const rounds: CheckRecord[][] = [];
  const crashes: string[] = [];
  for (let round = 0; round < repeats && !signal.aborted; round += 1) {
    const runId = round === 0 ? plan.runId : `${plan.runId}n${round}`;
    const records: CheckRecord[] = [];
    rounds.push(records);
    try {
      const ordered = inOrder(ids, repeats > 1 ? seed + round : seed);
      await runRound({ ...question, plan: { ...plan, runId } }, ordered, records);
    } catch (error) {
      crashes.push((error as Error).stack ?? String(error));
    }
  }
  return { records: joinRepeats(rounds, seed), crashes };
}

function inOrder(ids: readonly string[], seed: number): readonly string[] {
  if (seed === 0) return ids;
  const anyOrder = fc.shuffledSubarray([...ids], { minLength: ids.length });
  return fc.sample(anyOrder, { seed, numRuns: 1 })[0] as string[];
}

const WORKER = new URL(`run-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

async function runRound(
  { plan, signal, resourceEnded }: RoundsQuestion,
  ids: readonly string[],
  records: CheckRecord[],
): Promise<void> {
  const open = new Map<string, number>();
  for (const id of ids) open.set(resourceOfCheck(id), (open.get(resourceOfCheck(id)) ?? 0) + 1);
  const pool = openPool<string, CheckRecord>(
    WORKER,
    plan.workers,
    (thread) => ({ plan, thread }) satisfies RunWorkerData,
  );
  const keep = (record: CheckRecord): void => {
    const { resource } = record;
    records.push(record);
    open.set(resource, (open.get(resource) ?? 0) - 1);
    if (open.get(resource) === 0) resourceEnded(records.filter((one) => one.resource === resource));
  };
  try {
    await pool.runAll(ids, keep, signal);
  } finally {
    await pool.close();
  }
}

/** Merges repeated runs of the same checks. Each run after the first uses the next seed. */
export function joinRepeats(
  rounds: readonly (readonly CheckRecord[])[],
  firstSeed: number,
): CheckRecord[] {
  const joined = new Map<string, CheckRecord>();
  for (const [round, checks] of rounds.entries())
    for (const check of checks) {
      const known = joined.get(check.id);
      joined.set(check.id, known ? joinTwo(known, check, firstSeed + round) : check);
    }
  return [...joined.values()];
}

/** Merges two runs of a check; it is unstable if it failed in one and not in the other. */
function joinTwo(known: CheckRecord, again: CheckRecord, seed: number): CheckRecord {
  known.exchanges.push(...again.exchanges);
  known.shapes.push(...again.shapes);
  known.waits.push(...again.waits);
  if (isRed(known) === isRed(again) || known.outcome === 'unstable') return known;
  return {
    ...known,
    outcome: 'unstable',
    reason: `${known.outcome} at first, ${again.outcome} with --shuffle-seed ${seed}`,
    failure: known.failure ?? again.failure,
  };
}
