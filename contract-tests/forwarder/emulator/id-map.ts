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

/** The result of comparing two texts at the same place. */
interface TextMatch {
  /** Undefined when they correspond. */
  readonly differs?: 'value' | 'time' | 'reference';
  /** The pairs of ids that follow from them. */
  readonly learned: readonly IdPair[];
}

const SAME: TextMatch = { learned: [] };

/** The tolerance for instants, because requests reach the emulator later. @units milliseconds */
export const TIME_TOLERANCE = 5_000;

/** Texts that a service generates; only their form is compared. */
const FORMS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  secret: /^whsec_./,
  id: /^[a-z]{2,12}_[0-9A-Za-z]{6,}$/,
  link: /^https?:\/\//,
  token: /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{16,}$/,
} as const;

/** The form of a text that a service generated; undefined for any other. */
export function formOf(text: string): keyof typeof FORMS | undefined {
  const names = Object.keys(FORMS) as (keyof typeof FORMS)[];
  return names.find((name) => FORMS[name].test(text));
}

/**
 * Matches two texts: texts from a client must be equal, instants must be close, and identifiers must be a known pair
 * or both unknown.
 */
export function matchTexts(upstream: string, emulator: string, ids: IdMap): TextMatch {
  const known = ids.counterpart(upstream);
  const isAlike = known === undefined && upstream === emulator;
  const form = formOf(upstream);
  const isGiven = ids.isGiven(upstream) || ids.isGiven(emulator);
  if (known === emulator || (isAlike && (isGiven || form === undefined))) return SAME;
  if (isInstant(upstream) && isInstant(emulator)) return matchInstants(upstream, emulator);
  if (!isAlike && ids.translate(upstream) === emulator) return SAME;
  if (isGiven || form === undefined || form !== formOf(emulator))
    return { differs: 'value', learned: [] };
  if (form === 'link') return { learned: tokensOfLinks(upstream, emulator, ids) };
  const isTaken = known !== undefined || ids.original(emulator) !== undefined;
  return isTaken ? { differs: 'reference', learned: [] } : { learned: [[upstream, emulator]] };
}

function matchInstants(upstream: string, emulator: string): TextMatch {
  const apart = Math.abs(Date.parse(upstream) - Date.parse(emulator));
  if (apart > TIME_TOLERANCE) return { differs: 'time', learned: [] };
  return { learned: [[upstream, emulator]] };
}

/** Pairs of ids in two links. The links themselves may differ; parts at the same place correspond. */
function tokensOfLinks(upstream: string, emulator: string, ids: IdMap): readonly IdPair[] {
  const [ours, theirs] = [partsOf(upstream), partsOf(emulator)];
  if (ours.length !== theirs.length) return [];
  return ours.flatMap((part, index) => {
    const other = theirs[index] as string;
    const form = formOf(part);
    const isNew = ids.counterpart(part) === undefined && !ids.isGiven(part);
    return isNew && form !== undefined && form !== 'link' ? [[part, other] as const] : [];
  });
}

const partsOf = (link: string): readonly string[] => link.split(/[/?&=#]/).slice(3);
