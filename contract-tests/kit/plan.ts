import { EFFECTS, type Effect } from 'billing-emulator/spec';

/** The configuration of a run, fixed before its first check and the same for all checks. */
export interface RunPlan {
  readonly target: {
    /** `ours`: an emulator that this run starts and discards. `external`: everything else. */
    readonly kind: 'ours' | 'external';
    readonly baseUrl: string;
    readonly key: string;
    readonly serviceName: string;
    /** The header that carries the key, and the text before the key in it. */
    readonly keyPlace: KeyPlace;
    readonly environment: 'live' | 'test' | 'unknown';
    readonly accountId: string | undefined;
    readonly clockSkewMs: number;
  };
  readonly ceiling: Effect;
  readonly runId: string;
  /** How many checks run at once. On an emulator of this run each worker has its own world. */
  readonly workers: number;
  readonly requestsPerSecond: number;
  readonly maxRequests: number;
  readonly maxCreates: number;
  readonly timeoutMs: number;
  /** How long a write can take until reads show it, as declared; undefined when not declared. */
  readonly consistencyMs: number | undefined;
  /** Factor on the time that checks wait for late results, below 1 when late results are known not to come. */
  readonly waitFactor: number;
  /** The file for the list of created objects; without one it is kept in memory only. */
  readonly createdFile: string | undefined;
  readonly selection: Selection;
  readonly receiver: { readonly publicUrl: string; readonly port: number } | undefined;
  /** Whether a test event did not arrive at the receiver. */
  readonly areDeliveriesLost: boolean;
  readonly paymentHook: string | undefined;
  /** Capabilities of the target beyond its interface, such as `payment.completable`. */
  readonly offers: readonly string[];
}

export interface KeyPlace {
  readonly header: string;
  readonly prefix: string;
}

/** Patterns for ids of checks and names of resources. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** The service's own header for the key. @assumes A-102 */
export function keyPlaceOf(serviceName: string): KeyPlace {
  return { header: `X-${serviceName}-Api-Key`, prefix: '' };
}

type Target = RunPlan['target'];

/** Completes a target with defaults. Environment, account and clock skew are unknown until the target is queried. */
export function targetOf(
  known: Pick<Target, 'kind' | 'baseUrl' | 'key'> & Partial<Target>,
): Target {
  const { serviceName = 'Service' } = known;
  const unasked = { environment: 'unknown', accountId: undefined, clockSkewMs: 0 } as const;
  return { serviceName, keyPlace: keyPlaceOf(serviceName), ...unasked, ...known };
}

/** A plan without limits, for the test environment of an emulator that this run started. */
export const planOfOurs = (
  { baseUrl, key }: Pick<Target, 'baseUrl' | 'key'>,
  changes: Partial<RunPlan> = {},
): RunPlan => defaultPlan(targetOf({ kind: 'ours', environment: 'test', baseUrl, key }), changes);

/** A plan for a target, without limits but those of `changes`. */
export function defaultPlan(target: RunPlan['target'], changes: Partial<RunPlan> = {}): RunPlan {
  return {
    target,
    ceiling: 'E4',
    runId: 'r0',
    workers: 1,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    maxRequests: Number.POSITIVE_INFINITY,
    maxCreates: Number.POSITIVE_INFINITY,
    timeoutMs: 30_000,
    consistencyMs: undefined,
    waitFactor: 1,
    createdFile: undefined,
    selection: { only: [], skip: [] },
    receiver: undefined,
    areDeliveriesLost: false,
    paymentHook: undefined,
    offers: target.kind === 'ours' ? OFFERS_OF_OURS : [],
    ...changes,
  };
}

/** Capabilities of an emulator that this run starts, beyond its interface. */
export const OFFERS_OF_OURS: readonly string[] = ['payment.completable', 'clock.movable'];

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether an address belongs to this machine. */
export const isLoopbackTarget = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname);

export const exceeds = (effect: Effect, ceiling: Effect): boolean =>
  EFFECTS.indexOf(effect) > EFFECTS.indexOf(ceiling);
