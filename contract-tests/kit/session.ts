import { createHash } from 'node:crypto';
import { inject } from 'vitest';
import { startEmulator } from '../target.ts';
import { exchange, keyPlaceOf } from './client.ts';
import type { Effect } from './effects.ts';
import { createGuard, type Eyes, type Guard } from './guard.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { HarnessError, Untestable } from './outcome.ts';
import { createRedactor, type Redactor } from './redact.ts';
import type { Level } from './registry.ts';

/** What a run is about, decided before its first check and the same for all of them. */
export interface RunPlan {
  readonly target: {
    /** Ours: an emulator started for this run, thrown away with it. External: everything else. */
    readonly kind: 'ours' | 'external';
    readonly baseUrl: string;
    readonly key: string;
    readonly serviceName: string;
    /** Where the key goes: a header, and what stands before the key there. */
    readonly keyPlace: KeyPlace;
    readonly environment: 'live' | 'test' | 'unknown';
    readonly accountId: string | undefined;
    readonly clockSkewMs: number;
  };
  readonly ceiling: Effect;
  /** Whether a refuted decision counts as a failure. */
  readonly insistOnAssumptions: boolean;
  readonly runId: string;
  readonly requestsPerSecond: number;
  readonly maxRequests: number;
  readonly maxCreates: number;
  readonly timeoutMs: number;
  /** How many objects may be used up on an external target. */
  readonly consumables: number;
  readonly isClosed: boolean;
  readonly showsValues: boolean;
  readonly ledgerFile: string | undefined;
  readonly selection: Selection;
  readonly receiver: { readonly publicUrl: string; readonly port: number } | undefined;
  readonly paymentHook: string | undefined;
}

export interface KeyPlace {
  readonly header: string;
  readonly prefix: string;
}

export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly operations: readonly string[];
  readonly levels: readonly Level[];
}

declare module 'vitest' {
  interface ProvidedContext {
    contract: RunPlan | undefined;
  }
}

/** The state of a run within one worker. */
export interface Session {
  readonly plan: RunPlan;
  readonly guard: Guard;
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  /** Ids that the kit made or adopted: only these may be written to. */
  readonly own: Set<string>;
  /** Objects that stand for a slot in this run. */
  readonly slots: Map<string, unknown>;
  /** A number that is not given twice. */
  nextNumber(): number;
}

const HOME = Symbol.for('billing-emulator.contract.session');
const BEGUN = Symbol.for('billing-emulator.contract.begun');
const home = globalThis as { [HOME]?: Promise<Session>; [BEGUN]?: Session };

/** The session of this worker; outside a run it stands on an emulator of its own. */
export function session(): Promise<Session> {
  home[HOME] ??= begin(inject('contract'));
  return home[HOME];
}

/**
 * The session, once a check is running.
 *
 * @throws HarnessError before
 */
export function currentSession(): Session {
  if (!home[BEGUN]) throw new HarnessError('Names are made within a check, not beside it');
  return home[BEGUN];
}

/** Puts a plan in place of the given one, for tests of the kit. */
export function beginSession(plan: RunPlan): Promise<Session> {
  home[HOME] = begin(plan);
  return home[HOME];
}

async function begin(given: RunPlan | undefined): Promise<Session> {
  const plan = given ?? (await planOfOwn());
  const { target } = plan;
  const ledger = openLedger(plan.ledgerFile);
  const redactor = createRedactor([target.key]);
  const own = new Set<string>();
  const guard = createGuard(plan, own);
  guard.watch(eyesOn(plan));
  let last = 0;
  home[BEGUN] = {
    plan,
    ledger,
    redactor,
    own,
    guard,
    slots: new Map(),
    nextNumber: () => ++last,
  };
  return home[BEGUN];
}

/** How the guard looks at the target, past its own pace and budgets. */
function eyesOn(plan: RunPlan): Eyes {
  return {
    async identity() {
      const { status, body } = await exchange(plan, 'getAccountContext', {});
      const isKnown = status === 200 && ['live', 'test'].includes(body?.environment);
      return { environment: isKnown ? body.environment : 'unknown', accountId: body?.account_id };
    },
    async destinations() {
      const { status, body } = await exchange(plan, 'listWebhooks', {});
      if (status !== 200) throw new Untestable('The registered destinations cannot be listed');
      return (body?.items ?? []).map(({ url }: { url: string }) => url);
    },
  };
}

/** For a case file run by itself: everything is allowed on an emulator that nobody else sees. */
async function planOfOwn(): Promise<RunPlan> {
  const { baseUrl, key, serviceName } = await startEmulator();
  return defaultPlan({
    kind: 'ours',
    baseUrl,
    key,
    serviceName,
    keyPlace: keyPlaceOf(serviceName),
    environment: 'test',
    accountId: undefined,
    clockSkewMs: 0,
  });
}

/** A plan without limits for a target of one's own, to be narrowed by `changes`. */
export function defaultPlan(target: RunPlan['target'], changes: Partial<RunPlan> = {}): RunPlan {
  return {
    target,
    ceiling: 'E4',
    insistOnAssumptions: target.kind === 'ours',
    runId: 'r0',
    requestsPerSecond: Number.POSITIVE_INFINITY,
    maxRequests: Number.POSITIVE_INFINITY,
    maxCreates: Number.POSITIVE_INFINITY,
    timeoutMs: 30_000,
    consumables: target.kind === 'ours' ? Number.POSITIVE_INFINITY : 0,
    isClosed: false,
    showsValues: target.kind === 'ours',
    ledgerFile: undefined,
    selection: { only: [], skip: [], operations: [], levels: [] },
    receiver: undefined,
    paymentHook: undefined,
    ...changes,
  };
}

/** A UUID that follows from the run and a number, so that a run repeats with the same ids. */
export function uuidOf(runId: string, number: number): string {
  const hex = createHash('sha256').update(`${runId}/${number}`).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
