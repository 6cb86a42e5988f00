import { type IdMap, type IdPair, isInstant } from './id-map.ts';

/** The result of comparing two texts at the same place. */
export interface TextMatch {
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
