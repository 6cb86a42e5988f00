import type { components } from '../../spec/control.d.ts';
import { REDACTED, redact } from '../../text/redaction.ts';
import type { ValueDifference } from '../../text/value-differences.ts';

type FieldChange = components['schemas']['FieldChange'];
type Scalar = string | number | boolean | null;

/** Characters of a text that are told. */
const MOST_CHARACTERS = 120;
/** Characters before the first difference of two long texts. */
const LEAD = 20;

/** A difference without secrets, long texts from shortly before they differ. */
export function showDifference({ path, ...values }: ValueDifference): FieldChange {
  const name = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  const from = 'from' in values ? scalarOf(name, values.from) : undefined;
  const to = 'to' in values ? scalarOf(name, values.to) : undefined;
  const isSecret = from === to;
  const start = typeof from === 'string' && typeof to === 'string' ? firstShown(from, to) : 0;
  return {
    field: path,
    ...(from !== undefined && { from: isSecret ? REDACTED : cutText(from, start) }),
    ...(to !== undefined && { to: isSecret ? REDACTED : cutText(to, start) }),
  };
}

function scalarOf(name: string, value: unknown): Scalar {
  const { [name]: open } = redact({ [name]: value }) as Readonly<Record<string, unknown>>;
  return typeof open === 'object' && open !== null ? JSON.stringify(open) : (open as Scalar);
}

function firstShown(from: string, to: string): number {
  if (from.length <= MOST_CHARACTERS && to.length <= MOST_CHARACTERS) return 0;
  let same = 0;
  while (same < from.length && from[same] === to[same]) same += 1;
  return Math.max(0, same - LEAD);
}

/** A text from a place on, or its first part. */
export function cutText<T>(value: T, start = 0): T | string {
  if (typeof value !== 'string') return value;
  const end = start + MOST_CHARACTERS;
  const part = value.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${end < value.length ? '…' : ''}`;
}
