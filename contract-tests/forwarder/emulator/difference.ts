import { digitsOf, type ExactValue, isList, isObject } from '../../kit/exact-json.ts';
import { layers } from '../../kit/layers.ts';
import { assumptionsAt } from '../../kit/shape.ts';
import { isSecretField, type Redactor } from '../../kit/target/redact.ts';
import { declaredInDocument } from '../declared-names.ts';
import type { DifferenceKind, ResponseDifference } from './compare.ts';
import type { TwinExchange } from './exchange.ts';
import { formOf, isInstant } from './id-map.ts';

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
  /** The cause of an earlier difference after which the two worlds differ. */
  readonly follows: string | undefined;
  /** The assumptions that the document marks at the place; without any, those that the emulator's response names. */
  readonly assumptions: readonly string[];
}

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
    ordinal,
    status,
    kind,
    operation: operation?.id ?? null,
    request: operation ? `${operation.method} ${operation.path}` : `${method} …`,
    at: at.map((step, index) => (isNamable(step, index, at) ? step : '…')).join('.'),
    assumptions: marked.length > 0 ? marked : relied,
  };
}

const isNamable = (step: string, index: number, [place]: readonly string[]): boolean =>
  index === 0 || step === '*' || place === 'header' || declaredInDocument().names.has(step);

/** The longest value that is shown. */
const LONGEST = 200;

/** Any URL, because it can grant access to whoever has it. */
const LINK = /https?:\/\/[^\s"'<>]+/gi;

/**
 * Turns a value into text without personal data: only its form, or with consent the value without secrets.
 *
 * @param field the name of the field that holds it
 */
export function showValue(
  value: ExactValue | undefined,
  field: string,
  redactor: Redactor | undefined,
): string {
  if (value === undefined) return 'nothing';
  if (!redactor || isSecretField(field)) return outlineOf(value);
  const text = redactor.text(JSON.stringify(plain(value))).replaceAll(LINK, '‹redacted link›');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The form of a value without its content. Enum values of the document, booleans and null are shown. */
function outlineOf(value: ExactValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  const digits = digitsOf(value);
  if (digits !== undefined) return /^-?\d+$/.test(digits) ? 'integer' : 'decimal';
  if (isList(value)) return `list(${value.length})`;
  if (isObject(value)) return 'object';
  if (isInstant(value)) return 'instant';
  if (declaredInDocument().words.has(value)) return value;
  const form = formOf(value);
  if (form === 'id') return `id(${value.slice(0, value.indexOf('_'))})`;
  return form ?? `string(${value.length})`;
}

function plain(value: ExactValue): unknown {
  const digits = digitsOf(value);
  if (digits !== undefined) return Number(digits);
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretField(name) ? '‹redacted›' : plain(inner),
    ]),
  );
}
