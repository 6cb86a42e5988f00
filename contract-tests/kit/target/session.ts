import { startEmulator } from 'billing-emulator';
import { currentCheckRun } from '../check-run.ts';
import { createdObjectsTarget, openCreatedObjects } from '../created-objects.ts';
import { HarnessError, NotObservable, NotSelected, Untestable } from '../outcome.ts';
import { defaultPlan, keyPlaceOf, type RunPlan, targetOf } from '../plan.ts';
import { contextIn, preflight } from '../run/preflight.ts';
import { Guard, type TargetQueries } from './guard.ts';
import { askTarget, Consistency, type Patience } from './patience.ts';
import { createRedactor } from './redact.ts';

/** The state of a run within one worker. */
export type Session = Awaited<ReturnType<typeof begin>>;

const HOME = Symbol.for('billing-emulator.contract.session');

/** The session of this worker, which all copies of this module share. */
interface Home {
  session?: Promise<Session>;
  begun?: Session;
  /** Whether a test of the kit began the session, for a target that may be closed by now. */
  isGiven?: boolean;
}

const shared = globalThis as { [HOME]?: Home };
shared[HOME] ??= {};
const home = shared[HOME];

/** The session of this worker. Outside a run it starts its own emulator. */
export function session(): Promise<Session> {
  home.session ??= planOfOwn().then((plan) => begin(plan));
  return home.session;
}

/** The session of the running check. @throws HarnessError before the session has started */
export function currentSession(): Session {
  if (!home.begun) throw new HarnessError('There is no session yet: call this within a check');
  return home.begun;
}

/** Starts a session with this plan: the thread of a run, a self-test, or a test of the kit. */
export function beginSession(plan: RunPlan, thread = 1): Promise<Session> {
  home.session = begin(plan, thread);
  home.isGiven = true;
  return home.session;
}

/** Leaves a session that a test of the kit began earlier in this worker. */
export function leaveGivenSession(): void {
  if (!home.isGiven) return;
  for (const name of ['session', 'begun', 'isGiven'] as const) delete home[name];
}

async function begin(given: RunPlan, thread = 1) {
  const plan = forThread(given, thread);
  const { target, createdFile } = plan;
  const created = openCreatedObjects(createdFile, createdObjectsTarget(target));
  const own = new Set<string>();
  const patience: Patience = new Map();
  let last = 0;
  const begun = {
    ...{ plan, created, patience },
    redactor: createRedactor([target.key]),
    guard: new Guard(plan, own, targetQueries(plan, patience)),
    consistency: new Consistency(),
    /** Ids of objects that the kit created or reused. The guard rejects writes to other objects. */
    own,
    /** The objects in use in this run, by slot. */
    slots: new Map<string, unknown>(),
    /** Whether the target still responds to a read, tried for some seconds. */
    isAnswering: () => isAnswering(plan),
    /** Why the rest of the run is skipped; undefined while it continues. */
    stopped: undefined as string | undefined,
    nextNumber: () => ++last,
  };
  home.begun = begun;
  return begun;
}

/** Gives each thread its own world, on an emulator that this run started. */
function forThread(plan: RunPlan, thread: number): RunPlan {
  const { target } = plan;
  if (target.kind !== 'ours') return plan;
  return { ...plan, target: { ...target, key: `${target.key}-w${thread}` } };
}

/** The guard's queries, which do not count towards its rate and budgets. */
function targetQueries(plan: RunPlan, patience: Patience): TargetQueries {
  const watching = {
    ...plan,
    patience,
    get waits() {
      return currentCheckRun()?.record.waits ?? [];
    },
  };
  return {
    identity: async () => contextIn(await askTarget(watching, 'getAccountContext', {})),
    async destinations() {
      const { status, body } = await askTarget(watching, 'listWebhooks', {});
      if (status !== 200) throw new Untestable('The registered destinations cannot be listed');
      return (body?.items ?? []).map(({ url }: { url: string }) => url);
    },
  };
}

const READS = 5;
const BETWEEN_READS_MS = 500;
const LONGEST_READ_MS = 5_000;

async function isAnswering(plan: RunPlan): Promise<boolean> {
  for (let count = 0; count < READS; count += 1) {
    if (count > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_READS_MS));
    const timeoutMs = Math.min(plan.timeoutMs, LONGEST_READ_MS);
    const { verdict } = await preflight({ ...plan, timeoutMs });
    if (verdict === 'answered' || verdict === 'unexpected' || verdict === 'key_refused')
      return true;
  }
  return false;
}

/** The plan for a case file that runs by itself: everything is allowed on a new emulator. */
async function planOfOwn(): Promise<RunPlan> {
  const { baseUrl, key } = await startTarget();
  return defaultPlan(targetOf({ kind: 'ours', environment: 'test', baseUrl, key }));
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

const NEEDS_OURS = 'needs an emulator that the suite starts, without --base-url';

/** Leaves a check out on other targets. @throws NotSelected */
export function onlyOnOurs(why: string): void {
  if (!isOurs()) throw new NotSelected(`${NEEDS_OURS}: ${why}`);
}

/** A key that is certainly invalid: the run's key with a character that no key contains. */
export const wrongKey = (): string => `${currentSession().plan.target.key}!`;

/**
 * The headers that carry the run's key, or a changed form of it: in the service's own header, as a bearer token, or
 * both.
 *
 * @assumes A-102
 */
export function keyHeaders(places: {
  readonly own?: (key: string) => string;
  readonly bearer?: (key: string) => string;
}): Record<string, string> {
  const { key, serviceName } = currentSession().plan.target;
  return {
    ...(places.own && { [keyPlaceOf(serviceName).header]: places.own(key) }),
    ...(places.bearer && { Authorization: `Bearer ${places.bearer(key)}` }),
  };
}

/** The environment that the target reported. */
export const environment = (): 'live' | 'test' | 'unknown' =>
  currentSession().plan.target.environment;

/**
 * Keys without access to this run's data: one of the same account in the other environment, one of another account in
 * the same environment.
 *
 * @assumes A-103
 * @throws NotObservable when only one key is known
 */
export function foreignKeys(): readonly [otherEnvironment: string, otherAccount: string] {
  const { target } = currentSession().plan;
  if (target.kind !== 'ours') throw new NotObservable(`${NEEDS_OURS}: other keys`);
  return [target.key.replace('key_test_', 'key_live_'), `${target.key}-stranger`];
}
