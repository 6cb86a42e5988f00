import { declaredNames } from '../kit/declared-names.ts';
import { resourceOf } from '../kit/operations.ts';
import { type AnswerDifference, type DifferenceKind, identifiersIn } from './compare.ts';
import type { ExactValue } from './exact-value.ts';
import type { TwinExchange } from './exchange.ts';
import { type Touched, touchedBy } from './touched.ts';
import { namesIn } from './translate.ts';

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
  readonly origin: Origin;
}

/** A difference in words that may be shared. */
export interface ShownDifference extends Omit<TwinDifference, 'upstream' | 'emulator' | 'origin'> {
  readonly upstream: string;
  readonly emulator: string;
}

/** What a difference is about. */
export interface Origin {
  /** Identifiers that the request names, and those of the items that it lies in or is. */
  readonly about: readonly string[];
  /** As the document files its operation. */
  readonly resource: string;
  readonly isOfWrite: boolean;
}

/** What differs: differences of one name are the same. */
export function causeName({ operation, request, kind, at }: TwinDifference): string {
  return `${operation ?? request} ${at} ${kind}`;
}

/** The identifiers that a request names, other than the account that it acts for. */
export function identifiersAsked({ traffic }: TwinExchange): readonly string[] {
  return identifiersIn([...namesIn({ ...traffic, rawRequestHeaders: [] })]);
}

/**
 * A difference with all that is to be told of it.
 *
 * @param asked identifiers that the request names
 * @param relied decisions that the emulator's answer names
 */
export function placeDifference(
  exchange: TwinExchange,
  difference: AnswerDifference,
  { asked, relied }: Readonly<Record<'asked' | 'relied', readonly string[]>>,
): Omit<TwinDifference, 'isContended' | 'follows'> {
  const { ordinal, operation, traffic } = exchange;
  const { kind, at, upstream, emulator } = difference;
  const { method, status } = traffic;
  return {
    ...{ ordinal, status, kind, upstream, emulator },
    operation: operation?.id ?? null,
    request: operation ? `${operation.method} ${operation.path}` : `${method} …`,
    at: at.map((step, index) => (isNamable(step, index, at) ? step : '…')).join('.'),
    ...touchedBy(operation, status, at, relied),
    origin: originOf(exchange, difference, asked),
  };
}

function originOf(
  { operation, isWrite }: TwinExchange,
  { upstream, emulator, within }: AnswerDifference,
  asked: readonly string[],
): Origin {
  const shown = [upstream, emulator].flatMap(identifiersIn);
  return {
    about: [...new Set([...asked, ...within, ...shown])],
    resource: operation ? resourceOf(operation) : '',
    isOfWrite: isWrite,
  };
}

function isNamable(step: string, index: number, [place]: readonly string[]): boolean {
  return index === 0 || step === '*' || place === 'header' || declaredNames().has(step);
}
