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
/** A reference within a text, or a dollar sign that stands for itself. */
const WITHIN = /\$\$|\$\{([^{}]*)\}/g;
const COUNT = /(?<!\$)\$n(?::(\d{1,2}))?(?=[DHMSWY]?(?!\w))/g;
const INBOX = /^\$inbox\/([\w.-]+)$/;
const MOMENT = /^\$(now|today|start|start_date)(?:([+-])(P[\w.]+|\d+\w+))?$/;

/** A value of a scenario that names something else. */
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

/** What of a text is to be a reference: the whole of it, or what stands in it as `${name.field}`. */
export function referencesIn(text: string): readonly string[] {
  if (/^\$[A-Za-z_]/.test(text)) return [text];
  return [...text.matchAll(WITHIN)].flatMap(([, inner]) =>
    inner === undefined ? [] : [`$${inner}`],
  );
}

/** The text whose dollar signs stand for themselves. */
export const literalText = (text: string): string => text.replaceAll('$', '$$$$');

/**
 * Replaces `$name.field` by that field of an earlier answer, also within a text as `${name.field}`; `$now`, `$today`
 * and `$start`, also with a duration as in `$now-P3D`, by that moment, `$start_date` by its day, `$inbox/name` by the
 * address of that inbox, `$n` by the count of the repetition and `$$` by a dollar sign. What leads nowhere is put
 * into `problems`.
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

/** What a reference names; undefined where it leads nowhere. */
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
