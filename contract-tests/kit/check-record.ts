import type { Outcome } from './outcome.ts';
import type { CheckEntry } from './registry.ts';

/** The record of one run of one check. */
export interface CheckRecord extends Omit<CheckEntry, 'assumes' | 'needs'> {
  outcome: Outcome;
  reason: string | undefined;
  failure: FailureRecord | undefined;
  milliseconds: number;
  readonly exchanges: ExchangeRecord[];
  readonly assumptions: AssumptionRecord[];
  readonly observations: ObservationRecord[];
  readonly shapes: ShapeRecord[];
  readonly notes: string[];
}

/** A check by its id and sentence. */
export const nameOfCheck = ({ id, title }: Pick<CheckRecord, 'id' | 'title'>): string =>
  `${id} ${title}`;

/** The record of a check that has not run. */
export function blankRecord(
  { id, title, resource, level, effect, requirements }: CheckEntry,
  changes: Partial<CheckRecord> = {},
): CheckRecord {
  return {
    id,
    title,
    resource,
    level,
    effect,
    requirements,
    outcome: 'pass',
    reason: undefined,
    failure: undefined,
    milliseconds: 0,
    exchanges: [],
    assumptions: [],
    observations: [],
    shapes: [],
    notes: [],
    ...changes,
  };
}

interface FailureRecord {
  /** The operation of the latest request, its status, and the request as a curl command. */
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly curl: string | undefined;
  /** What differs, one line each. */
  readonly differences: readonly string[];
}

export interface ExchangeRecord {
  readonly operation: string;
  readonly status: number;
  /** Whether the check asserted the status and the shape. */
  asserted: boolean;
  readonly milliseconds: number;
}

interface AssumptionRecord {
  readonly id: string;
  readonly verdict: 'confirmed' | 'refuted';
  readonly detail: string | undefined;
}

interface ObservationRecord {
  readonly name: string;
  readonly value: string;
}

export interface ShapeRecord {
  readonly kind: 'broken' | 'refuted' | 'undeclared' | 'status';
  readonly operation: string;
  readonly status: number;
  readonly finding: string;
  readonly assumptions: readonly string[];
}

/** Whether a response breaks the specification itself. */
export const isWrong = ({ kind }: ShapeRecord): boolean => kind === 'broken' || kind === 'status';
