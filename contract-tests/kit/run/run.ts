import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createdFilesIn, openCreatedObjectsIn } from '../created-objects.ts';
import { exceeds } from '../effects.ts';
import { gatherCases } from '../gather.ts';
import {
  defaultPlan,
  isLoopbackTarget,
  type KeyPlace,
  keyPlaceOf,
  OFFERS_OF_OURS,
  type RunPlan,
  targetOf,
} from '../plan.ts';
import { type StartedEmulator, startTarget } from '../target/own-emulator.ts';
import type { WaitRecord } from '../target/patience.ts';
import { createRedactor } from '../target/redact.ts';
import type { CheckRecord } from '../trial.ts';
import { assemble } from './assemble.ts';
import { applyBaseline, readBaseline, writeBaseline } from './baseline.ts';
import { applyExemptions, type Capabilities, readCapabilities } from './capabilities.ts';
import { decideCeiling } from './ceiling.ts';
import { cleanUp } from './clean.ts';
import type { RunProgress } from './collector.ts';
import { complete, joinRepeats } from './complete.ts';
import { unreachableReceiver } from './deliveries.ts';
import { ConfigurationError, PROFILE_TRAITS } from './options.ts';
import { isBeyondReach, type Preflight, preflight } from './preflight.ts';
import type { RunOptions } from './read-options.ts';
import type { RunRecord } from './record.ts';
import { type RoundQuestion, runRound } from './round.ts';

export interface RunEvents extends RunProgress {
  /** Called once the target's identity and the ceiling are known. */
  planned(plan: RunPlan, found: Preflight): void;
  /** Called when a test event has not arrived at the receiver with this address. */
  deliveriesLost(receiver: string): void;
}

/**
 * Runs the suite: reads the target's identity, decides the ceiling, runs the checks, cleans up, and writes the record.
 * Returns the record whatever happened on the target.
 *
 * @param signal ends the run early; its abort reason is `deadline` or `signal`
 * @throws ConfigurationError when an option, file or variable is not usable
 * @throws SafetyRefusal when the requested run is not allowed on the target
 */
export async function runContract(
  options: RunOptions,
  events: RunEvents,
  signal: AbortSignal,
): Promise<RunRecord> {
  const startedAt = new Date();
  const capabilities = await prepare(options);
  const { target, emulator } = await openTarget(options);
  const waits: WaitRecord[] = [];
  try {
    const timeoutMs = Math.min(options.timeoutMs, 10_000);
    const found = await preflight({ target, timeoutMs, waits });
    const plan = planOf(options, target, found, capabilities);
    createFolders(options);
    events.planned(plan, found);
    const isReached = !isBeyondReach(found);
    const receiver = isReached ? await unreachableReceiver(plan) : undefined;
    if (receiver !== undefined) events.deliveriesLost(receiver);
    const whole = { ...plan, areDeliveriesLost: receiver !== undefined };
    const repeats = options.repeats ?? PROFILE_TRAITS[options.profile].repeats;
    const rounds = await runRounds(
      isReached ? repeats : 0,
      { plan: whole, events, signal },
      options.seed,
    );
    const lists = openCreatedObjectsIn(runFolder(options));
    const leftovers =
      isReached && target.kind === 'external' ? await cleanUp({ ...plan, waits }, lists) : [];
    const checks = settleChecks(rounds.records, options, capabilities, signal.aborted);
    const assembled = assemble({
      ...{ options, plan, found, checks, capabilities, startedAt, leftovers },
      ...{ waits, crashes: rounds.crashes },
      rounds: rounds.count,
      entries: lists.flatMap((created) => created.entries()),
      endedBy: signal.aborted ? (signal.reason as 'deadline' | 'signal') : undefined,
    });
    if (options.baseline !== undefined && options.updatesBaseline)
      writeBaseline(checks, options.baseline);
    const record = createRedactor([target.key]).all(assembled);
    writeFileSync(join(runFolder(options), 'run.json'), `${JSON.stringify(record, null, 2)}\n`);
    return record;
  } finally {
    await emulator?.close();
    if (emulator) forgetCreated(options);
  }
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

/** Deletes the lists of created objects: the objects ended with the emulator. */
function forgetCreated(options: RunOptions): void {
  for (const file of createdFilesIn(runFolder(options))) rmSync(file);
}

/** The folder for the files of one run on this machine. */
export const runFolder = ({ stateFolder, runId }: RunOptions): string => join(stateFolder, runId);

/** Runs all case files this many times, each time in another order. */
async function runRounds(repeats: number, run: Omit<RoundQuestion, 'seed'>, firstSeed: number) {
  const rounds: (readonly CheckRecord[])[] = [];
  const crashes: string[] = [];
  const isShuffled = repeats > 1 || firstSeed !== 0;
  const { runId } = run.plan;
  for (let round = 0; round < repeats && !run.signal.aborted; round += 1) {
    const plan = { ...run.plan, runId: round === 0 ? runId : `${runId}n${round}` };
    const seed = isShuffled ? firstSeed + round : undefined;
    const found = await runRound({ ...run, plan, seed });
    rounds.push(found.records);
    crashes.push(...found.crashes);
  }
  return { records: joinRepeats(rounds, firstSeed), crashes, count: rounds.length };
}

/** Reads the checks and the files that the options name. */
async function prepare(options: RunOptions): Promise<Capabilities> {
  await gatherCases();
  validateBaseline(options);
  return readCapabilities(options.capabilities);
}

function validateBaseline({ profile, baseline, updatesBaseline }: RunOptions): void {
  if (baseline === undefined) return;
  if (!PROFILE_TRAITS[profile].allowsBaseline)
    throw new ConfigurationError(`Profile ${profile} allows no baseline`);
  if (!updatesBaseline) readBaseline(baseline);
}

/** Opens the target: the given URL, or a fresh emulator. */
export async function openTarget(
  options: RunOptions,
): Promise<{ readonly target: RunPlan['target']; readonly emulator?: StartedEmulator }> {
  if (options.baseUrl === undefined) {
    const emulator = await startTarget();
    const { baseUrl, key, serviceName } = emulator;
    return { emulator, target: targetOf({ kind: 'ours', baseUrl, key, serviceName }) };
  }
  if (options.key === undefined)
    throw new ConfigurationError('A base URL needs a key: name its variable with --key-env');
  const { baseUrl, key, serviceName } = options;
  const keyPlace = readKeyPlace(options.keyPlace, serviceName);
  return { target: targetOf({ kind: 'external', baseUrl, key, serviceName, keyPlace }) };
}

/** `bearer`, or `header:<name>`. */
function readKeyPlace(text: string | undefined, serviceName: string): KeyPlace {
  if (text === undefined) return keyPlaceOf(serviceName);
  if (text === 'bearer') return { header: 'Authorization', prefix: 'Bearer ' };
  const name = /^header:([A-Za-z0-9-]+)$/.exec(text)?.[1];
  if (name === undefined)
    throw new ConfigurationError(`--key-place is bearer or header:<name>, not ${text}`);
  return { header: name, prefix: '' };
}

/** Default limits on targets of others. A whole run sends some 41,000 requests, 6,600 of which create something. */
const BUDGETS = {
  cautious: { requests: 10_000, creates: 500 },
  whole: { requests: 60_000, creates: 10_000 },
};

/** The default number of workers. Some checks wait for due work; others run meanwhile. */
const USUAL_WORKERS = 4;

/** Builds the plan of a run from the options and the target's identity. */
export function planOf(
  options: RunOptions,
  target: RunPlan['target'],
  found: Preflight,
  { offers }: Capabilities,
): RunPlan {
  const { cap, only } = PROFILE_TRAITS[options.profile];
  const { kind, baseUrl } = target;
  const isOurs = kind === 'ours';
  const { environment, accountId, clockSkewMs } = found;
  const { confirmAccount, acceptsLiveWritesOf, isUnattended, effects: wanted, selection } = options;
  const consent = { wanted, cap, confirmAccount, acceptsLiveWritesOf, isUnattended };
  const mayUseUp = isOurs || (wanted !== undefined && exceeds(wanted, 'E2'));
  const budget = mayUseUp ? BUDGETS.whole : BUDGETS.cautious;
  const far = isOurs || isLoopbackTarget(baseUrl) ? Number.POSITIVE_INFINITY : undefined;
  return defaultPlan(
    { ...target, environment, accountId, clockSkewMs },
    {
      ceiling: decideCeiling({ isOurs, baseUrl, found, ...consent }),
      mayUseUp,
      insistOnAssumptions: options.insistsOnAssumptions ?? isOurs,
      runId: options.runId,
      workers: isOurs ? (options.workers ?? USUAL_WORKERS) : 1,
      requestsPerSecond: options.requestsPerSecond ?? far ?? 5,
      maxRequests: options.maxRequests ?? far ?? budget.requests,
      maxCreates: options.maxCreates ?? far ?? budget.creates,
      timeoutMs: options.timeoutMs,
      consistencyMs: options.consistencyMs,
      isClosed: options.isClosed,
      createdFolder: runFolder(options),
      selection: { ...selection, only: [...only, ...selection.only] },
      paymentHook: options.paymentHook,
      offers: [...offers, ...offersOf(options, isOurs)],
      ...(options.webhookUrl !== undefined && {
        receiver: { publicUrl: options.webhookUrl, port: options.webhookPort ?? 0 },
      }),
    },
  );
}

const offersOf = ({ paymentHook }: RunOptions, isOurs: boolean): readonly string[] =>
  isOurs ? OFFERS_OF_OURS : paymentHook ? ['payment.completable'] : [];

function settleChecks(
  found: readonly CheckRecord[],
  options: RunOptions,
  capabilities: Capabilities,
  isCutShort: boolean,
): readonly CheckRecord[] {
  const checks = complete(found, isCutShort || found.length === 0);
  applyExemptions(checks, capabilities, new Date().toISOString().slice(0, 10));
  if (options.baseline !== undefined && !options.updatesBaseline)
    applyBaseline(checks, options.baseline);
  return checks;
}
