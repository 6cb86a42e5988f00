import { startEmulator } from 'billing-emulator';
import { createdObjectsTarget, openCreatedObjects } from '../created-objects.ts';
import { HarnessError, NotSelected } from '../outcome.ts';
import { planOfOurs, type RunPlan } from '../plan.ts';
import { preflight } from '../run/preflight.ts';
import { Consistency } from './consistency.ts';
import { Guard } from './guard.ts';
import type { Patience } from './patience.ts';
import { createRedactor } from './redact.ts';

/** The state of a run within one worker. */
export type Session = ReturnType<typeof open>;

let current: Session | undefined;
/** The session of case files that run by themselves in this worker. */
let ofCaseFiles: Promise<Session> | undefined;

/** The session of the running check. @throws HarnessError before the session has started */
export function currentSession(): Session {
  if (!current) throw new HarnessError('There is no session yet: call this within a check');
  return current;
}

/** Starts a session with this plan: the thread of a run, a self-test, or a test of the kit. */
export function beginSession(plan: RunPlan, thread = 1): Session {
  current = open(plan, thread);
  return current;
}

/** Enters the session of case files that run by themselves: everything is allowed on a new emulator. */
export async function beginOwnSession(): Promise<void> {
  ofCaseFiles ??= startTarget().then((emulator) => open(planOfOurs(emulator)));
  current = await ofCaseFiles;
}

function open(given: RunPlan, thread = 1) {
  const plan = forThread(given, thread);
  const { target, createdFile } = plan;
  const created = openCreatedObjects(createdFile, createdObjectsTarget(target));
  const ids = new Set<string>();
  const patience: Patience = new Map();
  let last = 0;
  return {
    plan,
    created,
    patience,
    redactor: createRedactor([target.key]),
    guard: new Guard(plan, ids, patience),
    consistency: new Consistency(),
    /** Ids of objects that the kit created. The guard rejects writes to other objects. */
    own: ids,
    /** The objects that checks share, by name. */
    shared: new Map<string, unknown>(),
    /** Why the rest of the run is skipped; undefined while it continues. */
    stopped: undefined as string | undefined,
    nextNumber: () => ++last,
  };
}

/** Gives each thread its own world, on an emulator that this run started. */
function forThread(plan: RunPlan, thread: number): RunPlan {
  const { target } = plan;
  if (target.kind !== 'ours') return plan;
  return { ...plan, target: { ...target, key: `${target.key}-w${thread}` } };
}

const READS = 5;
const BETWEEN_READS_MS = 500;
const LONGEST_READ_MS = 5_000;

/** Whether the target still responds to a read, tried for some seconds. */
export async function isAnswering(plan: RunPlan): Promise<boolean> {
  for (let count = 0; count < READS; count += 1) {
    if (count > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_READS_MS));
    const timeoutMs = Math.min(plan.timeoutMs, LONGEST_READ_MS);
    const { verdict } = await preflight({ ...plan, timeoutMs });
    if (verdict === 'answered' || verdict === 'unexpected' || verdict === 'key_refused')
      return true;
  }
  return false;
}

export type StartedEmulator = Awaited<ReturnType<typeof startTarget>>;

/** A database that keeps the worlds, for proofs; in memory without one. */
const { TEST_DATABASE } = process.env;
let started = 0;

/** Starts a new emulator with an empty world on a free port. Checks send requests over its socket, as to any target. */
export async function startTarget() {
  started += 1;
  const kept = TEST_DATABASE !== undefined && {
    data: `${TEST_DATABASE}?schema=contract_${process.pid}_${started}`,
  };
  const settings = { fixture: '', log_level: 'silent', ...kept } as const;
  const { url, close } = await startEmulator({ settings });
  return { baseUrl: url, key: 'key_test_contract', close };
}

/** Whether the target is an emulator that this run started. */
export const isOurs = (): boolean => currentSession().plan.target.kind === 'ours';

export const NEEDS_OURS = 'needs an emulator that the suite starts, without --base-url';

/** Leaves a check out on other targets. @throws NotSelected */
export function onlyOnOurs(why: string): void {
  if (!isOurs()) throw new NotSelected(`${NEEDS_OURS}: ${why}`);
}

/** The environment that the target reported. */
export const environment = (): 'live' | 'test' | 'unknown' =>
  currentSession().plan.target.environment;
