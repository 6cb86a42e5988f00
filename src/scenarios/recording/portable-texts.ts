import type { Instant } from '../../domain/instant.ts';
import { REDACTED, redacting, SECRET_FIELDS } from '../../text/redaction.ts';
import { mapTexts, OMITTED } from '../map-texts.ts';
import { literalText } from '../references.ts';
import type { Place } from '../scenario.ts';
import { redactingCustomers } from './customer-names.ts';
import { isDrawn, KnownValues, replaceTokens } from './known-values.ts';
import { instantIn, relativeTo } from './relative-time.ts';
import type { LoggedSession, RecordingOptions } from './session.ts';
import type { StepDraft } from './step-draft.ts';

const INBOX = /^https?:\/\/[^/]+\/_emulator\/inbox\/([\w.-]+)$/;

/** Rewrites the values of a session for any world: with references, and without secrets. */
export class PortableTexts {
  readonly known = new KnownValues();
  readonly #start: Instant;
  readonly #hasExactTimes: boolean;
  readonly #redact: (text: string) => string;

  constructor(session: LoggedSession, { redactCustomers, hasExactTimes }: RecordingOptions) {
    this.#start = session.start;
    this.#hasExactTimes = hasExactTimes;
    const withoutSecrets = redacting(session.secrets);
    const withoutNames = redactCustomers ? redactingCustomers(session.calls) : String;
    this.#redact = (text) => withoutNames(withoutSecrets(text));
  }

  /** Rewrites a part of a request for a step. */
  request<T>(value: T): T {
    return mapTexts(value, (text, place) => this.#requestText(text, place)) as T;
  }

  /**
   * Rewrites a response as an expectation: stable values, and references for the others. `isWhole` is false if
   * a value has no reference.
   */
  answer(given: unknown, draft: StepDraft): { readonly body: unknown; readonly isWhole: boolean } {
    let isWhole = true;
    const body = mapTexts(given, (text, place) => {
      if (this.#isStable(text, place)) return this.#requestText(text, place);
      const reference = this.known.referenceTo(text) ?? this.known.referTo(draft, place);
      if (reference === undefined) isWhole = false;
      return reference ?? OMITTED;
    });
    return { body, isWhole };
  }

  #requestText(text: string, place: Place): string {
    const { known } = this;
    const reference = known.referenceTo(text);
    if (reference !== undefined) return reference;
    if (SECRET_FIELDS.has(String(place.at(-1)))) return REDACTED;
    const [, inbox] = INBOX.exec(text) ?? [];
    if (inbox !== undefined) return `$inbox/${inbox}`;
    return relativeTo(this.#start, text) ?? this.#withReferences(this.#redact(text));
  }

  #withReferences(text: string): string {
    const references: string[] = [];
    const marked = replaceTokens(text, (token) => {
      const reference = this.known.referenceTo(token);
      if (reference === undefined) return token;
      references.push(`\${${reference.slice(1)}}`);
      return MARK;
    });
    return literalText(marked).replaceAll(MARK, () => references.shift() as string);
  }

  #isStable(text: string, place: Place): boolean {
    const { known } = this;
    const moment = instantIn(text);
    if (moment !== undefined) return this.#hasExactTimes || known.isGiven(moment);
    if (known.isGiven(text)) return true;
    return !isDrawn(text, place) && known.strangersIn(text).length === 0;
  }
}

/** Marks a reference while the rest of a text is rewritten. No accepted request contains this character. */
const MARK = '\u0001';
