/** A text of the service beside the emulator's. */
export type IdPair = readonly [upstream: string, emulator: string];

/** Matches ids and tokens; percent-escapes of a URL are skipped. */
const TOKEN = /%[0-9A-Fa-f]{2}|[\w-]{6,}/g;
const WHOLE_TOKEN = /^[\w-]{6,}$/;
/** Instants, also with the colons percent-encoded. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d+)?Z/gi;

/** Prefixes of the same id. @assumes A-301 */
const SYNONYMS = [['dst_', 'whd_']] as const;

/** The tokens in a text; each can be an id. */
export const tokensIn = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** The known identifiers, tokens and instants of a service with those of the emulator, learned pair by pair. */
export class IdMap {
  readonly #emulators = new Map<string, string>();
  readonly #upstreams = new Map<string, string>();
  readonly #given = new Set<string>();
  /** Texts that hold more than the characters of a token. */
  readonly #whole = new Map<string, string>();

  /** @param before what is known already, for a comparison that learns more on its way */
  constructor(private readonly before?: IdMap) {}

  /** The emulator's text for one of the service. */
  counterpart(upstream: string): string | undefined {
    return this.#emulators.get(upstream) ?? this.before?.counterpart(upstream);
  }

  /** The service's text for one of the emulator. */
  original(emulator: string): string | undefined {
    return this.#upstreams.get(emulator) ?? this.before?.original(emulator);
  }

  /** Whether a client supplied the text, so that both sides must have the same. */
  isGiven(text: string): boolean {
    return this.#given.has(text) || this.before?.isGiven(text) === true;
  }

  /** A text of the service with every id that is known already replaced by the emulator's. */
  translate(text: string): string {
    if (this.before) return this.before.translate(text);
    let translated = text.replace(TOKEN, (token) => this.#emulators.get(token) ?? token);
    translated = translated.replace(INSTANT, (moment) => this.#instant(moment));
    for (const [upstream, emulator] of this.#whole)
      translated = translated
        .replaceAll(upstream, emulator)
        .replaceAll(encodeURIComponent(upstream), encodeURIComponent(emulator));
    return translated;
  }

  #instant(moment: string): string {
    const known = this.#emulators.get(moment.replaceAll(/%3A/gi, ':'));
    if (known === undefined) return moment;
    return moment.includes('%') ? known.replaceAll(':', '%3A') : known;
  }

  learn(pairs: readonly IdPair[]): void {
    for (const [upstream, emulator] of pairs) {
      this.#emulators.set(upstream, emulator);
      this.#upstreams.set(emulator, upstream);
      for (const [prefix, other] of SYNONYMS)
        if (upstream.startsWith(prefix))
          this.#emulators.set(upstream.replace(prefix, other), emulator.replace(prefix, other));
      if (!WHOLE_TOKEN.test(upstream) && !isInstant(upstream)) this.#whole.set(upstream, emulator);
    }
  }

  /** Records texts that a request contains and no response has shown before. */
  give(texts: Iterable<string>): void {
    for (const text of texts) if (!this.#emulators.has(text)) this.#given.add(text);
  }
}

const WHOLE_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export const isInstant = (text: string): boolean => WHOLE_INSTANT.test(text);
