import { layers } from '../../kit/layers.ts';
import { resourceOf } from '../../kit/operations.ts';
import { assumptionsAt } from '../../kit/shape.ts';
import { declaredInDocument } from '../declared-names.ts';
import { type DifferenceKind, identifiersIn, type ResponseDifference } from './compare.ts';
import type { TwinExchange } from './exchange.ts';
import { namesIn } from './exchange.ts';

/** A difference between a service and the emulator, as text that is safe to share. */
export interface TwinDifference {
  readonly ordinal: number;
  readonly operation: string | null;
  /** Method and path, with the names of its parameters in place of their values. */
  readonly request: string;
  readonly status: number;
  readonly kind: DifferenceKind;
  /** The place, such as `body.items.*.name`. Names that the document does not contain are left out. */
  readonly at: string;
  readonly upstream: string;
  readonly emulator: string;
  /** Whether writes ran in parallel, so that their order can be the cause. */
  readonly isContended: boolean;
  /** The cause of an earlier difference after which the two worlds differ. */
  readonly follows: string | undefined;
  /** The assumptions that the document marks at the place; without any, those that the emulator's response names. */
  readonly assumptions: readonly string[];
}

/** The objects that a difference is about. */
export interface Origin {
  /** Ids in the request, and ids of the item itself and of the items that contain it. */
  readonly about: readonly string[];
  /** The resource (tag) of its operation in the document. */
  readonly resource: string;
  readonly isOfWrite: boolean;
}

/** The name of a difference; the same defect has the same name. */
export const causeName = ({ operation, request, kind, at }: TwinDifference): string =>
  `${operation ?? request} ${at} ${kind}`;

/** The ids in a request, without the account that it acts for. */
export const identifiersAsked = ({ traffic }: TwinExchange): readonly string[] =>
  identifiersIn([...namesIn({ ...traffic, rawRequestHeaders: [] })]);

/**
 * Where a difference stands.
 *
 * @param relied the assumptions that the emulator's response names
 */
export function placeOf(
  { ordinal, operation, traffic }: TwinExchange,
  { kind, at }: ResponseDifference,
  relied: readonly string[],
) {
  const { method, status } = traffic;
  const [place, ...steps] = at;
  const pointer = place === 'body' ? operation?.replies.get(status) : undefined;
  const marked = assumptionsAt(layers().closed, pointer, steps);
  return {
    ...{ ordinal, status, kind },
    operation: operation?.id ?? null,
    request: operation ? `${operation.method} ${operation.path}` : `${method} …`,
    at: at.map((step, index) => (isNamable(step, index, at) ? step : '…')).join('.'),
    assumptions: marked.length > 0 ? marked : relied,
  };
}

/** @param asked the identifiers in the request */
export function originOf(
  { operation, isWrite }: TwinExchange,
  { upstream, emulator, within }: ResponseDifference,
  asked: readonly string[],
): Origin {
  const shown = [upstream, emulator].flatMap(identifiersIn);
  return {
    about: [...new Set([...asked, ...within, ...shown])],
    resource: operation ? resourceOf(operation) : '',
    isOfWrite: isWrite,
  };
}

const isNamable = (step: string, index: number, [place]: readonly string[]): boolean =>
  index === 0 || step === '*' || place === 'header' || declaredInDocument().names.has(step);
