import type { Effect } from 'billing-emulator/spec';
import type { Outcome } from '../outcome.ts';
import type { Level, Requirement } from '../registry.ts';
import type { CheckRecord, ShapeRecord } from '../trial.ts';

/** The record of a run. Every report is built from it only. */
export interface RunRecord {
  readonly schema: 'billing-emulator/contract-run';
  readonly schemaVersion: 1;
  readonly kitVersion: string;
  readonly specVersion: string;
  readonly runId: string;
  readonly seed: number;
  readonly profile: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly target: TargetRecord;
  readonly plan: PlanRecord;
  readonly exit: ExitRecord;
  readonly claim: string;
  readonly totals: Readonly<Partial<Record<Outcome, number>>>;
  readonly levels: Readonly<Partial<Record<Level, Readonly<Partial<Record<Outcome, number>>>>>>;
  readonly checks: readonly CheckRecord[];
  readonly requirements: readonly RequirementRecord[];
  readonly assumptions: readonly AssumptionSummary[];
  readonly causes: readonly Cause[];
  readonly matrix: Matrix;
  readonly drift: Drift;
  readonly effects: EffectsRecord;
  /** The waits of requests as text, such as `12 requests waited for the rate limit, 24 s`. */
  readonly waits: readonly string[];
}

export interface TargetRecord {
  readonly kind: 'ours' | 'external';
  readonly origin: string;
  readonly environment: string;
  /** The verdict of the first request. */
  readonly preflight: string;
  readonly clockSkewMs: number;
}

export interface PlanRecord {
  readonly ceiling: Effect;
  readonly selection: string;
  readonly requestsPerSecond: number | null;
  readonly workers: number;
  readonly repeats: number;
}

export interface ExitRecord {
  readonly code: number;
  /** All reasons that apply, the decisive one first. */
  readonly reasons: readonly { readonly code: number; readonly text: string }[];
}

export interface RequirementRecord extends Omit<Requirement, 'operations' | 'not_tested'> {
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
  readonly requirements: readonly string[];
  readonly difference: string;
  readonly checks: readonly string[];
  readonly curl: string | undefined;
}

export interface Matrix {
  readonly cells: readonly Cell[];
  readonly asserted: number;
  readonly exempt: number;
  readonly total: number;
  readonly operations: { readonly asserted: number; readonly total: number };
  readonly queryParameters: { readonly used: number; readonly total: number };
}

export interface Cell {
  readonly operation: string;
  readonly request: string;
  readonly status: number;
  readonly state: 'asserted' | 'touched' | 'untouched' | 'exempt';
  readonly reason: string | undefined;
}

export interface Drift {
  /** Responses whose shape differs from the assumptions or the specification. */
  readonly shapes: readonly DriftLine[];
  readonly undeclared: readonly DriftLine[];
  readonly observations: readonly Observation[];
}

export interface DriftLine extends Omit<ShapeRecord, 'kind'> {
  readonly count: number;
}

export interface Observation {
  readonly check: string;
  readonly name: string;
  readonly value: string;
  readonly setting: string | undefined;
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
