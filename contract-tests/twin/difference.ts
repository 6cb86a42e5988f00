import { declaredNames } from '../kit/declared-names.ts';
import type { AnswerDifference, DifferenceKind } from './compare.ts';
import type { ExactValue } from './exact-value.ts';
import type { TwinExchange } from './exchange.ts';
import { type Touched, touchedBy } from './touched.ts';

/** A difference between a service and the emulator, and where it was seen. */
export interface TwinDifference extends Touched {
  readonly ordinal: number;
  readonly operation: string | null;
  /** Method and path, with the names of its parameters in place of their values. */
  readonly request: string;
  readonly status: number;
  readonly kind: DifferenceKind;
  /** Such as `body.items.*.name`; names that the document does not know are left out. */
  readonly at: string;
  readonly upstream: ExactValue | undefined;
  readonly emulator: ExactValue | undefined;
  /** Whether writes ran side by side, so that another order may be the cause. */
  readonly isContended: boolean;
  /** The cause of an earlier difference that left the two worlds unlike. */
  readonly follows: string | undefined;
}

/** Which cause a difference belongs to. */
export function causeName({ operation, request, kind, at }: TwinDifference): string {
  return `${operation ?? request} ${at} ${kind}`;
}

/**
 * A difference with all that is to be told of it.
 *
 * @param relied decisions that the emulator's answer names
 */
export function placeDifference(
  { ordinal, operation, traffic: { method, status } }: TwinExchange,
  { kind, at, upstream, emulator }: AnswerDifference,
  relied: readonly string[],
): Omit<TwinDifference, 'isContended' | 'follows'> {
  return {
    ...{ ordinal, status, kind, upstream, emulator },
    operation: operation?.id ?? null,
    request: operation ? `${operation.method} ${operation.path}` : `${method} …`,
    at: at.map((step, index) => (isNamable(step, index, at) ? step : '…')).join('.'),
    ...touchedBy(operation, status, at, relied),
  };
}

function isNamable(step: string, index: number, [place]: readonly string[]): boolean {
  return index === 0 || step === '*' || place === 'header' || declaredNames().has(step);
}
