import {
  after,
  before,
  dayOf,
  type Instant,
  parseDuration,
  startOfDay,
} from '../domain/instant.ts';
import type { Place, Problem } from './scenario.ts';

/** What the references of a step can name. */
export interface Surroundings {
  /** Moment at which the replay started. */
  readonly start: Instant;
  readonly now: Instant;
  readonly baseUrl: string;
  /** Which of its repetitions a step is in, from 1. */
  readonly count: number;
  readonly answers: ReadonlyMap<string, unknown>;
}

const ANSWER = /^\$([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*)$/;
const COUNT = /(?<!\$)\$n(?::(\d{1,2}))?(?=[DHMSWY]?(?!\w))/g;
const INBOX = /^\$inbox\/([\w.-]+)$/;
const MOMENT = /^\$(now|today|start)(?:([+-])(P\w+|\d+\w+))?$/;

/** A value of a scenario that names something else. A text of `$$…` stands for `$…`. */
type Reference =
  | { readonly kind: 'moment'; readonly name: string; readonly sign: string; readonly span: string }
  | { readonly kind: 'inbox'; readonly name: string }
  | { readonly kind: 'answer'; readonly name: string; readonly path: readonly string[] };

/** Reads a reference; undefined for a text that stands for itself. */
export function readReference(text: string): Reference | undefined {
  const [, moment, sign = '+', span = 'PT0S'] = MOMENT.exec(text) ?? [];
  if (moment !== undefined && parseDuration(span))
    return { kind: 'moment', name: moment, sign, span };
  const [, inbox] = INBOX.exec(text) ?? [];
  if (inbox !== undefined) return { kind: 'inbox', name: inbox };
  const [, name, path = ''] = ANSWER.exec(text) ?? [];
  return name === undefined ? undefined : { kind: 'answer', name, path: path.match(/\w+/g) ?? [] };
}

/** Puts a count in the place of `$n` in a text, of `$n:12` with zeros to so many digits; a number where that is all. */
export function withCount(text: string, count: number): string | number {
  if (text === '$n') return count;
  return text.replace(COUNT, (_, digits = '0') => String(count).padStart(Number(digits), '0'));
}

/** Whether a text looks like a reference and can be read as none. */
export function isBrokenReference(text: string): boolean {
  return /^\$[A-Za-z_]/.test(text) && readReference(text) === undefined;
}

/**
 * Replaces `$name.field` by that field of an earlier answer, and `$now`, `$today` and `$start`, also with a
 * duration as in `$now-P3D`, by that moment, `$inbox/name` by the address of that inbox, and `$n` by the count of the
 * repetition. What leads nowhere is put into `problems`.
 */
export function resolveReferences<T>(
  value: T,
  surroundings: Surroundings,
  place: Place,
  problems: Problem[],
): T {
  const resolve = (inner: unknown, at: Place): unknown => {
    if (typeof inner === 'string') return resolveText(inner, surroundings, at, problems);
    if (Array.isArray(inner)) return inner.map((entry, index) => resolve(entry, [...at, index]));
    if (typeof inner !== 'object' || inner === null) return inner;
    const entries = Object.entries(inner).map(([key, entry]) => [
      key,
      resolve(entry, [...at, key]),
    ]);
    return Object.fromEntries(entries);
  };
  return resolve(value, place) as T;
}

function resolveText(
  written: string,
  { start, now, baseUrl, count, answers }: Surroundings,
  place: Place,
  problems: Problem[],
): unknown {
  const text = withCount(written, count);
  if (typeof text === 'number' || !text.startsWith('$')) return text;
  if (text.startsWith('$$')) return text.slice(1);
  const reference = readReference(text);
  if (!reference) return text;
  if (reference.kind === 'moment') {
    const moments: Record<string, Instant> = { start, now, today: startOfDay(dayOf(now)) };
    const from = moments[reference.name] as Instant;
    return reference.sign === '-' ? before(from, reference.span) : after(from, reference.span);
  }
  if (reference.kind === 'inbox') return `${baseUrl}/_emulator/inbox/${reference.name}`;
  const answer = answers.get(reference.name);
  const value = reference.path.reduce<unknown>(
    (holder, step) => (holder as Record<string, unknown> | null | undefined)?.[step],
    answer,
  );
  if (value === undefined)
    problems.push({ place, message: `The answer ${reference.name} has no ${text}.` });
  return value;
}
