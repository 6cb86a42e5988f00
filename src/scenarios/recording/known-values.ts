import { mapTexts } from '../map-texts.ts';
import type { Place } from '../scenario.ts';
import { instantIn } from './relative-time.ts';
import { createReferrer, type StepDraft } from './step-draft.ts';

/**
 * An identifier of the service, or a UUID, anywhere in a text. Identifiers contain a digit, which distinguishes
 * them from words with an underscore.
 */
const TOKEN =
  /\b(?:(?:acc|cust|dlv|dst|evt|fee|grt|org|pay|prc|prp|pss|sub|top|vnd|whd)_(?=[A-Za-z]*\d)[0-9A-Za-z]{6,}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?![0-9A-Za-z])/gi;

/** Fields whose value the service generates anew each time, unless the client sends it. */
const DRAWN_FIELDS = new Set(['secret', 'token', 'redirect_url', 'next', 'prev']);
const HOSTED_LINK = /^https?:\/\/[^/]+\/hosted\//;

interface Source {
  readonly draft: StepDraft;
  readonly place: Place;
}

/** The values of a session so far: those that responses returned first, and those that the client made up. */
export class KnownValues {
  /**
   * Returns a reference to a place in a step's response, and names the step. Undefined if no reference can name
   * the place.
   */
  readonly referTo = createReferrer();
  readonly #sources = new Map<string, Source>();
  readonly #given = new Set<string>();

  /** Records the values of a request that no response returned before. */
  noteRequest(value: unknown): void {
    mapTexts(value, (text) => {
      for (const each of [text, instantIn(text), ...tokensIn(text)])
        if (each !== undefined && !this.#sources.has(each)) this.#given.add(each.toLowerCase());
      return text;
    });
  }

  /** Records the values that a response returns first. */
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

  /** Returns a reference to the response that first returned a value, or undefined. */
  referenceTo(text: string): string | undefined {
    const source = this.#sources.get(text) ?? this.#sources.get(text.replace(/^whd_/, 'dst_'));
    return source && this.referTo(source.draft, source.place);
  }

  /** Returns the identifiers in a text that come from neither a response nor the client. */
  strangersIn(text: string): readonly string[] {
    return tokensIn(text).filter((each) => !this.#sources.has(each) && !this.isGiven(each));
  }
}

/** Whether the service generates a value anew each time. */
export function isDrawn(text: string, place: Place): boolean {
  const [whole] = tokensIn(text);
  return whole === text || DRAWN_FIELDS.has(String(place.at(-1))) || HOSTED_LINK.test(text);
}

export const tokensIn = (text: string): readonly string[] => text.match(TOKEN) ?? [];

export const replaceTokens = (text: string, replace: (token: string) => string): string =>
  text.replace(TOKEN, replace);
