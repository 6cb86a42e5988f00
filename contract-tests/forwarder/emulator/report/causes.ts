import type { Origin, TwinDifference } from '../difference.ts';

/** A common cause of differences, with the first of them. */
export interface TwinCause {
  readonly cause: string;
  readonly first: TwinDifference;
  readonly count: number;
  /** The number of differences that followed from it, or that never occurred without it. */
  readonly followers: number;
  /** Differences that never occurred without it. */
  readonly also: readonly { readonly name: string; readonly first: TwinDifference }[];
}

/** A difference named by operation, place and kind, with its origin. */
export interface FiledDifference {
  readonly name: string;
  readonly shown: TwinDifference;
  readonly origin: Origin;
}

/** All differences of one name. */
interface Kind {
  readonly name: string;
  readonly first: TwinDifference;
  count: number;
  followers: number;
  /** Differences that always occurred with it: in the same response, or earlier about the same objects. */
  companions: ReadonlySet<string> | undefined;
}

/**
 * The maximum number of objects whose differences are remembered. Beyond it, later differences can count as separate
 * causes.
 */
const MAX_REMEMBERED = 20_000;

/**
 * Finds the causes of differences. A difference that never occurred without another has the same cause; once it occurs
 * alone, it is a separate cause.
 */
export class CauseFinder {
  readonly #kinds = new Map<string, Kind>();
  /** By identifier: the names of the differences about it, with their origins. */
  readonly #about = new Map<string, Map<string, Origin>>();

  /** Adds all differences of a response. */
  file(found: readonly FiledDifference[]): void {
    const inAnswer = new Set(found.map(rootOf));
    for (const { name, shown, origin } of found) {
      const kind = this.#kindOf(shown.follows ?? name, shown);
      if (shown.follows !== undefined) kind.followers += 1;
      else this.#count(kind, new Set([...inAnswer, ...this.#earlier(origin, shown)]));
    }
    for (const one of found) this.#remember(rootOf(one), one.origin);
  }

  #kindOf(name: string, first: TwinDifference): Kind {
    const blank = { name, first, count: 0, followers: 0, companions: undefined };
    const kind = this.#kinds.get(name) ?? blank;
    this.#kinds.set(name, kind);
    return kind;
  }

  #count(kind: Kind, seen: ReadonlySet<string>): void {
    kind.count += 1;
    const known = kind.companions ?? seen;
    kind.companions = new Set([...known].filter((name) => name !== kind.name && seen.has(name)));
  }

  /** Earlier differences about the same objects that can have led to this one. */
  *#earlier(later: Origin, { kind }: TwinDifference): Generator<string> {
    // Whether a request is accepted depends on every object that it names.
    for (const id of later.about)
      for (const [name, earlier] of this.#about.get(id) ?? [])
        if (kind === 'status' || mayLeadTo(earlier, later)) yield name;
  }

  #remember(name: string, origin: Origin): void {
    for (const id of origin.about) {
      const names = this.#about.get(id) ?? new Map<string, Origin>();
      if (!names.has(name) || origin.isOfWrite) names.set(name, origin);
      this.#about.set(id, names);
      if (this.#about.size > MAX_REMEMBERED)
        this.#about.delete(this.#about.keys().next().value as string);
    }
  }

  /** Causes in order of first occurrence. */
  read(): readonly TwinCause[] {
    const roots = new Map<
      string,
      TwinCause & { followers: number; also: TwinCause['also'][number][] }
    >();
    const rootNames = new Map<string, string>();
    for (const { name, first, count, followers, companions } of this.#fewestCompanionsFirst()) {
      const behind =
        count > 0 ? [...rootNames.keys()].find((one) => companions?.has(one)) : undefined;
      const root = roots.get(rootNames.get(behind ?? '') ?? '');
      if (count > 0) rootNames.set(name, root?.cause ?? name);
      if (!root) roots.set(name, { cause: name, first, count, followers, also: [] });
      else {
        root.followers += count + followers;
        root.also.push({ name, first });
      }
    }
    const inOrder = [...this.#kinds.keys()];
    return [...roots.values()].sort(
      (one, other) => inOrder.indexOf(one.cause) - inOrder.indexOf(other.cause),
    );
  }

  /** Puts differences that occurred alone first. */
  #fewestCompanionsFirst(): readonly Kind[] {
    const size = ({ companions }: Kind) => companions?.size ?? 0;
    return [...this.#kinds.values()].sort((one, other) => size(one) - size(other));
  }
}

/** The name of the difference that a difference follows, or its own. */
const rootOf = ({ name, shown }: FiledDifference): string => shown.follows ?? name;

/** Whether both are about the same resource, or the later is a read that can show the result of a write. */
const mayLeadTo = (earlier: Origin, later: Origin): boolean =>
  earlier.resource === later.resource || (earlier.isOfWrite && !later.isOfWrite);
