import type { Effect } from 'billing-emulator/spec';
import type { Selection } from '../plan.ts';

export const PROFILES = ['quick', 'safe', 'full', 'certify', 'nightly-live'] as const;
export type Profile = (typeof PROFILES)[number];

/** What a run was asked for, read from flags and variables and found usable. */
export interface RunOptions {
  /** Address of the target; none for a fresh emulator of ours. */
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly keyPlace: string | undefined;
  readonly serviceName: string;
  readonly effects: Effect | undefined;
  readonly confirmAccount: string | undefined;
  /** Account for which live writes were consented to, by variable or by hand. */
  readonly acceptsLiveWritesOf: string | undefined;
  readonly isUnattended: boolean;
  readonly selection: Selection;
  readonly profile: Profile;
  readonly baseline: string | undefined;
  readonly updatesBaseline: boolean;
  readonly capabilities: string | undefined;
  /** Case files side by side, on a fresh emulator. */
  readonly workers: number | undefined;
  readonly seed: number;
  /** How often the checks are run, each time in another order; as the profile says unless given. */
  readonly repeats: number | undefined;
  readonly runId: string;
  readonly requestsPerSecond: number | undefined;
  readonly maxRequests: number | undefined;
  readonly maxCreates: number | undefined;
  readonly consumables: number | undefined;
  readonly deadlineMs: number | undefined;
  readonly timeoutMs: number;
  readonly consistencyMs: number | undefined;
  readonly webhookUrl: string | undefined;
  readonly webhookPort: number | undefined;
  readonly paymentHook: string | undefined;
  readonly reports: Readonly<Record<string, string>>;
  readonly showsValues: boolean;
  readonly hasColor: boolean;
  readonly isClosed: boolean;
  readonly insistsOnAssumptions: boolean | undefined;
  /** Least number of cells that must have been asserted. */
  readonly gateCells: number | undefined;
  /** Whether a changed verdict within the run is red. */
  readonly failsOnFlaky: boolean;
  /** Folder for lists of created objects and run records. */
  readonly stateFolder: string;
}

/** Something asked for cannot be used: flags, files or variables. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** What was asked for is not allowed on this target. */
export class SafetyRefusal extends Error {
  override readonly name = 'SafetyRefusal';
}

interface ProfileTraits {
  /** Highest effect class it uses, however much is allowed. */
  readonly cap: Effect;
  readonly only: readonly string[];
  readonly repeats: number;
  readonly allowsBaseline: boolean;
}

/** What a profile stands for. */
export const PROFILE_TRAITS: Readonly<Record<Profile, ProfileTraits>> = {
  quick: {
    cap: 'E0',
    only: ['ACC-01', 'X-01', 'X-03', 'X-11', 'X-12', 'X-16'],
    repeats: 1,
    allowsBaseline: true,
  },
  safe: { cap: 'E1', only: [], repeats: 1, allowsBaseline: true },
  full: { cap: 'E4', only: [], repeats: 1, allowsBaseline: true },
  certify: { cap: 'E4', only: [], repeats: 3, allowsBaseline: false },
  'nightly-live': { cap: 'E2', only: [], repeats: 1, allowsBaseline: true },
};

/** A name for a run that later runs do not have. */
export function freshRunId(): string {
  return Date.now().toString(36);
}
