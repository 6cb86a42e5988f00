import { mapTexts } from '../map-texts.ts';
import type { Place } from '../scenario.ts';
import { instantIn } from './relative-time.ts';
import { createReferrer, type StepDraft } from './step-draft.ts';

/**
 * An identifier as the service makes them, or a UUID, anywhere in a text. Identifiers have a digit, which tells them
 * from words with an underscore.
 */
const TOKEN =
  /\b(?:(?:acc|cust|dlv|dst|evt|fee|grt|org|pay|prc|prp|pss|sub|top|vnd|whd)_(?=[A-Za-z]*\d)[0-9A-Za-z]{6,}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?![0-9A-Za-z])/gi;

/** Fields whose value the service draws anew each time, unless the client sent it. */
const DRAWN_FIELDS = new Set(['secret', 'token', 'redirect_url', 'next', 'prev']);
const HOSTED_LINK = /^https?:\/\/[^/]+\/hosted\//;

interface Source {
  readonly draft: StepDraft;
  readonly place: Place;
}

/** What is known in a session so far: what its answers gave first, and what its client made up. */
export class KnownValues {
  /** A reference to a place of a step's answer, which has a name from then on; undefined where none leads there. */
  readonly referTo = createReferrer();
  readonly #sources = new Map<string, Source>();
  readonly #given = new Set<string>();

  /** Takes note of what a request says that no answer gave. */
  noteRequest(value: unknown): void {
    mapTexts(value, (text) => {
      for (const each of [text, instantIn(text), ...tokensIn(text)])
        if (each !== undefined && !this.#sources.has(each)) this.#given.add(each.toLowerCase());
      return text;
    });
  }

  /** Takes note of what an answer gives for the first time. */
  noteAnswer(body: unknown, draft: StepDraft): void {
    mapTexts(body, (text, place) => {
      const isNew = !this.#sources.has(text) && !this.isGiven(text);
      if (isNew && isDrawn(text, place)) this.#sources.set(text, { draft, place });
      return text;
    });
  }

  isGiven(text: string): boolean {
    return this.#given.has(text.toLowerCase());
  }

  /** A reference to the answer that gave a value first. */
  referenceTo(text: string): string | undefined {
    const source = this.#sources.get(text) ?? this.#sources.get(text.replace(/^whd_/, 'dst_'));
    return source && this.referTo(source.draft, source.place);
  }

  /** The identifiers in a text that neither an answer gave nor its client made up. */
  strangersIn(text: string): readonly string[] {
    return tokensIn(text).filter((each) => !this.#sources.has(each) && !this.isGiven(each));
  }
}

/** Whether the service draws a value anew each time. */
export function isDrawn(text: string, place: Place): boolean {
  const [whole] = tokensIn(text);
  return whole === text || DRAWN_FIELDS.has(String(place.at(-1))) || HOSTED_LINK.test(text);
}

export const tokensIn = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** A text with each identifier in it replaced. */
export const replaceTokens = (text: string, replace: (token: string) => string): string =>
  text.replace(TOKEN, replace);
