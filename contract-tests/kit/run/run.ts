import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gatherCases } from '../check.ts';
import type { CheckRecord } from '../check-record.ts';
import { openCreatedObjects } from '../created-objects.ts';
import type { RunPlan } from '../plan.ts';
import { createRedactor } from '../target/redact.ts';
import { causesOf } from './causes.ts';
import { cleanUp, effectsOf } from './clean.ts';
import { unreachableReceiver } from './deliveries.ts';
import { openTarget, planOf } from './plan-run.ts';
import { isBeyondReach, type Preflight, preflight } from './preflight.ts';
import { ConfigurationError, type RunOptions, runFolder } from './read-options.ts';
import { runChecks } from './run-checks.ts';
import {
  assumptionSummaries,
  claimOf,
  driftOf,
  requirementRecords,
  totalsOf,
} from './summarise.ts';
import { decideExit, type VerdictQuestion } from './verdict.ts';
import { complete } from './whole-run.ts';

export interface RunEvents {
  /** Called once the target's identity and the ceiling are known. */
  planned(plan: RunPlan, found: Preflight): void;
  /** Called when a test event has not arrived at the receiver with this address. */
  deliveriesLost(receiver: string): void;
  /** Receives the records of a resource once all its checks have run. */
  resourceEnded(records: readonly CheckRecord[]): void;
}

/**
 * Runs the suite: reads the target's identity, decides the ceiling, runs the checks, cleans up, and writes the record.
 * Returns the record whatever happened on the target.
 *
 * @param signal ends the run early
 * @throws ConfigurationError when an option, file or variable is not usable
 * @throws SafetyRefusal when the requested run is not allowed on the target
 */
export async function runContract(
  options: RunOptions,
  events: RunEvents,
  signal: AbortSignal,
): Promise<RunRecord> {
  const startedAt = new Date();
  await gatherCases();
  const { target, emulator } = await openTarget(options);
  try {
    const timeoutMs = Math.min(options.timeoutMs, 10_000);
    const found = await preflight({ target, timeoutMs });
    const plan = planOf(options, target, found);
    createFolders(options);
    events.planned(plan, found);
    const isReached = !isBeyondReach(found);
    const { records, crashes } = isReached
      ? await runFromReceiver(plan, events, signal)
      : { records: [], crashes: [] };
    const created = openCreatedObjects(plan.createdFile);
    const leftovers = isReached ? await cleanUp(plan, created) : [];
    const checks = complete(records);
    const whole = assemble({
      options,
      plan,
      found,
      checks,
      startedAt,
      leftovers,
      crashes,
      entries: created.entries(),
      isInterrupted: signal.aborted,
    });
    const record = createRedactor([target.key]).all(whole);
    writeFileSync(join(runFolder(options), 'run.json'), `${JSON.stringify(record, null, 2)}\n`);
    return record;
  } finally {
    await emulator?.close();
  }
}

async function runFromReceiver(
  plan: RunPlan,
  { deliveriesLost, resourceEnded }: RunEvents,
  signal: AbortSignal,
) {
  const receiver = await unreachableReceiver(plan);
  if (receiver !== undefined) deliveriesLost(receiver);
  const areDeliveriesLost = receiver !== undefined;
  return runChecks({ ...plan, areDeliveriesLost }, resourceEnded, signal);
}

/** Creates the folders that the run writes to, so that one that cannot be written ends it before any check. */
function createFolders(options: RunOptions): void {
  for (const folder of [runFolder(options), ...Object.values(options.reports).map(dirname)])
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
    } catch (error) {
      const reason = (error as Error).message;
      throw new ConfigurationError(`--state and --report need folders to write to: ${reason}`);
    }
}

interface Parts extends Pick<VerdictQuestion, 'found' | 'leftovers' | 'crashes' | 'isInterrupted'> {
  readonly options: RunOptions;
  readonly plan: RunPlan;
  readonly found: Preflight;
  readonly checks: readonly CheckRecord[];
  readonly entries: Parameters<typeof effectsOf>[0];
  readonly startedAt: Date;
}

/** The record of a run. Every report is built from it only. */
export type RunRecord = ReturnType<typeof assemble>;

/** The record of a run from its parts. */
export function assemble(parts: Parts) {
  const { options, plan, found, checks, entries, leftovers } = parts;
  const requirements = requirementRecords(checks);
  const exit = decideExit(parts);
  const requests = checks.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const { kind, baseUrl } = plan.target;
  return {
    schema: 'billing-emulator/contract-run',
    schemaVersion: 1,
    runId: options.runId,
    startedAt: parts.startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    target: {
      kind,
      origin: new URL(baseUrl).origin,
      environment: found.environment,
      /** The verdict of the first request. */
      preflight: found.verdict,
      clockSkewMs: found.clockSkewMs,
    },
    plan: { ceiling: plan.ceiling, workers: plan.workers, ...plan.selection },
    exit,
    /** One sentence for quotation: whether the target conforms, and how much of the specification was tested. */
    claim: claimOf(requirements, exit),
    totals: totalsOf(checks),
    causes: causesOf(checks),
    checks,
    requirements,
    assumptions: assumptionSummaries(checks),
    drift: driftOf(checks),
    effects: { requests, ...effectsOf(entries), leftovers },
  };
}
