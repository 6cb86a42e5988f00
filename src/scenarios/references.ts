import {
  after,
  before,
  dayOf,
  type Instant,
  parseDuration,
  startOfDay,
} from '../domain/instant.ts';
import { mapTexts } from './map-texts.ts';
import type { Place, Problem } from './scenario.ts';

/** The values that references can name. */
export interface Surroundings {
  /** Time at which the replay started. */
  readonly start: Instant;
  readonly now: Instant;
  readonly baseUrl: string;
  /** Number of the step's repetition, from 1. */
  readonly count: number;
  readonly answers: ReadonlyMap<string, unknown>;
}

const ANSWER = /^\$([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*)$/;
/** A reference in a text, or an escaped dollar sign. */
const WITHIN = /\$\$|\$\{([^{}]*)\}/g;
const COUNT = /(?<!\$)\$n(?::(\d{1,2}))?(?=[DHMSWY]?(?!\w))/g;
const INBOX = /^\$inbox\/([\w.-]+)$/;
const MOMENT = /^\$(now|today|start|start_date)(?:([+-])(P[\w.]+|\d+\w+))?$/;

type Reference =
  | { readonly kind: 'moment'; readonly name: string; readonly sign: string; readonly span: string }
  | { readonly kind: 'inbox'; readonly name: string }
  | { readonly kind: 'answer'; readonly name: string; readonly path: readonly string[] };

/** Parses a reference. Returns undefined for plain text. */
export function readReference(text: string): Reference | undefined {
  const [, moment, sign = '+', span = 'PT0S'] = MOMENT.exec(text) ?? [];
  if (moment !== undefined && parseDuration(span))
    return { kind: 'moment', name: moment, sign, span };
  const [, inbox] = INBOX.exec(text) ?? [];
  if (inbox !== undefined) return { kind: 'inbox', name: inbox };
  const [, name, path = ''] = ANSWER.exec(text) ?? [];
  return name === undefined ? undefined : { kind: 'answer', name, path: path.match(/\w+/g) ?? [] };
}

/**
 * Replaces `$n` in a text by a count, and `$n:12` by the count padded with zeros to 12 digits. Returns a number
 * if the text is only `$n`.
 */
export function withCount(text: string, count: number): string | number {
  if (text === '$n') return count;
  return text.replace(COUNT, (_, digits = '0') => String(count).padStart(Number(digits), '0'));
}

/** The references in a text: the whole text, or parts such as `${name.field}`. */
export function referencesIn(text: string): readonly string[] {
  if (/^\$[A-Za-z_]/.test(text)) return [text];
  return [...text.matchAll(WITHIN)].flatMap(([, inner]) =>
    inner === undefined ? [] : [`$${inner}`],
  );
}

/** Escapes the dollar signs of a text. */
export const literalText = (text: string): string => text.replaceAll('$', '$$$$');

/**
 * Resolves references. `$name.field`, or `${name.field}` within a text, is a field of an earlier response.
 * `$now`, `$today` and `$start` are times, also with a duration as in `$now-P3D`; `$start_date` is a day.
 * `$inbox/name` is the URL of an inbox, `$n` the count of the repetition, `$$` a dollar sign. Adds unresolved
 * references to `problems`.
 */
export function resolveReferences<T>(
  value: T,
  surroundings: Surroundings,
  place: Place,
  problems: Problem[],
): T {
  const resolve = (text: string, at: Place) => resolveText(text, surroundings, at, problems);
  return mapTexts(value, resolve, place) as T;
}

function resolveText(
  written: string,
  surroundings: Surroundings,
  place: Place,
  problems: Problem[],
): unknown {
  const text = withCount(written, surroundings.count);
  if (typeof text === 'number' || !text.includes('$')) return text;
  const resolved = (reference: string): unknown => {
    const value = valueOfReference(reference, surroundings);
    if (value === undefined) {
      const [name] = /\w+/.exec(reference) ?? [];
      problems.push({ place, message: `The response ${name} has no ${reference}.` });
    }
    return value;
  };
  if (readReference(text)) return resolved(text);
  return text.replace(WITHIN, (_, inner?: string) =>
    inner === undefined ? '$' : String(resolved(`$${inner}`)),
  );
}

/** Returns the value of a reference, or undefined if it has none. */
function valueOfReference(text: string, { start, now, baseUrl, answers }: Surroundings): unknown {
  const reference = readReference(text);
  if (reference?.kind === 'inbox') return `${baseUrl}/_emulator/inbox/${reference.name}`;
  if (reference?.kind === 'answer')
    return reference.path.reduce<unknown>(
      (holder, step) => (holder as Record<string, unknown> | null | undefined)?.[step],
      answers.get(reference.name),
    );
  if (!reference) return undefined;
  const { name, sign, span } = reference;
  const moments: Record<string, Instant> = { now, today: startOfDay(dayOf(now)) };
  const from = moments[name] ?? start;
  const moment = sign === '-' ? before(from, span) : after(from, span);
  return name === 'start_date' ? dayOf(moment) : moment;
}
