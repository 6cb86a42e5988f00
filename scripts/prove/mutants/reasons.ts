import { parse } from 'yaml';
import type { SourceMutant } from './instrument.ts';

/** Why no check notices a mutant. */
export interface Reason {
  readonly kind: string;
  readonly why: string;
}

interface ReasonFile {
  readonly kinds: Readonly<Record<string, string>>;
  /** By file and change: the kind and the reason. */
  readonly mutants: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >;
}

/**
 * The reasons of `reasons.yaml` for mutants, by their id.
 *
 * @param all every mutant, in the order of the sources
 * @throws Error naming reasons that are not of one known kind, with a few words
 */
export function readReasons(
  text: string,
  all: readonly SourceMutant[],
): ReadonlyMap<number, Reason> {
  const { kinds, mutants } = parse(text) as ReasonFile;
  const reasons = new Map<string, Reason>();
  for (const [file, changes] of Object.entries(mutants))
    for (const [change, said] of Object.entries(changes)) {
      const [[kind, why] = ['', ''], ...others] = Object.entries(said);
      if (!Object.hasOwn(kinds, kind) || !why || others.length > 0)
        throw new Error(
          `reasons.yaml: expected one of ${Object.keys(kinds).join(', ')} and a few words for ${file}: ${change}; got ${JSON.stringify(said)}.`,
        );
      reasons.set(`${file}: ${change}`, { kind, why });
    }
  return byId(reasons, all);
}

function byId(
  reasons: ReadonlyMap<string, Reason>,
  all: readonly SourceMutant[],
): ReadonlyMap<number, Reason> {
  const found = new Map<number, Reason>();
  const alike = new Map<string, number>();
  for (const { id, file, original, text } of all) {
    const change = `${file}: ${oneLine(original)} → ${oneLine(text)}`;
    const place = (alike.get(change) ?? 0) + 1;
    alike.set(change, place);
    const reason = reasons.get(place === 1 ? change : `${change} #${place}`);
    if (reason) found.set(id, reason);
  }
  return found;
}

/** Formats the number of mutants of each kind, most frequent first. */
export function countKinds(reasons: readonly (Reason | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) {
    const kind = reason?.kind ?? 'without a reason';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, left], [, right]) => right - left);
  return sorted.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none';
}

/** Source text with each white space reduced to one blank. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
