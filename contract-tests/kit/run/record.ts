import { join } from 'node:path';
import type { Effect } from 'billing-emulator/spec';
import type { CheckRecord, ObservationRecord, ShapeRecord } from '../check-run.ts';
import type { Outcome } from '../outcome.ts';
import type { Level, Requirement } from '../registry.ts';
import type { RunOptions } from './read-options.ts';

/** The record of a run. Every report is built from it only. */
export interface RunRecord {
  readonly schema: 'billing-emulator/contract-run';
  readonly schemaVersion: 1;
  readonly kitVersion: string;
  readonly specVersion: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly target: {
    readonly kind: 'ours' | 'external';
    readonly origin: string;
    readonly environment: string;
    /** The verdict of the first request. */
    readonly preflight: string;
    readonly clockSkewMs: number;
  };
  readonly plan: {
    readonly ceiling: Effect;
    readonly only: readonly string[];
    readonly skip: readonly string[];
    readonly workers: number;
  };
  readonly exit: ExitRecord;
  /** One sentence for quotation: whether the target conforms, and how much of the specification was tested. */
  readonly claim: string;
  readonly totals: Readonly<Partial<Record<Outcome, number>>>;
  readonly causes: readonly Cause[];
  readonly checks: readonly CheckRecord[];
  readonly requirements: readonly RequirementRecord[];
  readonly assumptions: readonly AssumptionSummary[];
  readonly drift: Drift;
  readonly effects: EffectsRecord;
  /** The waits of requests as text, such as `12 requests waited for the rate limit, 24 s`. */
  readonly waits: readonly string[];
}

export interface ExitRecord {
  readonly code: number;
  /** All reasons that apply, the decisive one first. */
  readonly reasons: readonly { readonly code: number; readonly text: string }[];
}

export interface RequirementRecord extends Pick<Requirement, 'id' | 'section' | 'text'> {
  readonly level: Level;
  /** The checks that test it. */
  readonly checks: readonly string[];
  readonly outcome: RequirementOutcome;
  readonly reason: string | undefined;
}

export type RequirementOutcome =
  | 'met'
  | 'broken'
  | 'refuted'
  | 'partial'
  | 'not_run'
  | 'not_tested';

export interface AssumptionSummary {
  readonly id: string;
  readonly title: string;
  readonly weight: string;
  readonly verdict: 'confirmed' | 'refuted' | 'unobserved';
  readonly probes: readonly string[];
  readonly details: readonly string[];
}

/** Failed checks with one common cause. */
export interface Cause {
  readonly outcome: Outcome;
  /** The first operation where it was seen, and all of them. */
  readonly operation: string;
  readonly operations: readonly string[];
  readonly requirement: string;
  readonly difference: string;
  readonly checks: readonly string[];
  readonly curl: string | undefined;
}

export interface Drift {
  /** Responses whose shape differs from the assumptions or the specification. */
  readonly shapes: readonly DriftLine[];
  readonly undeclared: readonly DriftLine[];
  readonly observations: readonly (ObservationRecord & { readonly check: string })[];
}

export interface DriftLine extends Omit<ShapeRecord, 'kind'> {
  readonly count: number;
}

export interface EffectsRecord {
  readonly requests: number;
  /** The number of requests that created or changed something, by operation. */
  readonly writes: Readonly<Record<string, number>>;
  readonly removed: number;
  /** The number of objects that cannot be deleted, by operation. */
  readonly permanent: Readonly<Record<string, number>>;
  /** Objects that should be deleted but still exist. */
  readonly leftovers: readonly string[];
}

/** The folder for the files of one run on this machine. */
export const runFolder = ({ stateFolder, runId }: RunOptions): string => join(stateFolder, runId);
