import type { Effect } from 'billing-emulator/spec';
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
  /** How many case files run side by side; on an emulator of ours each worker has a world of its own. */
  readonly workers: number;
  readonly requestsPerSecond: number;
  readonly maxRequests: number;
  readonly maxCreates: number;
  readonly timeoutMs: number;
  /** How long what was written may take to be read, as declared; undefined where nothing is. */
  readonly consistencyMs: number | undefined;
  /** By how much checks wait shorter for what comes late, where it is known not to come. */
  readonly waitFactor: number;
  /** How many objects may be used up on an external target. */
  readonly consumables: number;
  readonly isClosed: boolean;
  readonly showsValues: boolean;
  readonly createdFile: string | undefined;
  readonly selection: Selection;
  readonly receiver: { readonly publicUrl: string; readonly port: number } | undefined;
  readonly paymentHook: string | undefined;
  /** What the target offers beside its interface, such as `payment.completable`. */
  readonly offers: readonly string[];
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

/** The header of the service's own that carries the key. @assumes A-102 */
export function keyPlaceOf(serviceName: string): KeyPlace {
  return { header: `X-${serviceName}-Api-Key`, prefix: '' };
}

type Target = RunPlan['target'];

/** A target by what is known of it; nothing else is, until it is asked. */
export function targetOf(
  known: Pick<Target, 'kind' | 'baseUrl' | 'key'> & Partial<Target>,
): Target {
  const { serviceName = 'Service' } = known;
  const unasked = { environment: 'unknown', accountId: undefined, clockSkewMs: 0 } as const;
  return { serviceName, keyPlace: keyPlaceOf(serviceName), ...unasked, ...known };
}

/** A plan without limits for a target of one's own, to be narrowed by `changes`. */
export function defaultPlan(target: RunPlan['target'], changes: Partial<RunPlan> = {}): RunPlan {
  return {
    target,
    ceiling: 'E4',
    insistOnAssumptions: target.kind === 'ours',
    runId: 'r0',
    workers: 1,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    maxRequests: Number.POSITIVE_INFINITY,
    maxCreates: Number.POSITIVE_INFINITY,
    timeoutMs: 30_000,
    consistencyMs: undefined,
    waitFactor: 1,
    consumables: target.kind === 'ours' ? Number.POSITIVE_INFINITY : 0,
    isClosed: false,
    showsValues: target.kind === 'ours',
    createdFile: undefined,
    selection: { only: [], skip: [], operations: [], levels: [] },
    receiver: undefined,
    paymentHook: undefined,
    offers: target.kind === 'ours' ? OFFERS_OF_OURS : [],
    ...changes,
  };
}

/** What an emulator of ours offers beside its interface. */
export const OFFERS_OF_OURS: readonly string[] = ['payment.completable', 'clock.movable'];

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether an address is one of this machine. */
export function isLoopbackTarget(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname);
}
