import { existsSync, readFileSync } from 'node:fs';

/**
 * What became of a mutant that changes an answer of the corpus: some check turned red, or none did; and of one
 * that changes none: a check turned red `beyond` the corpus, or none did.
 */
export interface Verdict {
  readonly id: number;
  readonly fate: 'killed' | 'survived' | 'beyond' | 'unchanged';
  /** The check that turned red, or the story whose answers differ. */
  readonly by: string | undefined;
  /** How many checks were run. */
  readonly tries: number;
  readonly milliseconds: number;
}

/** The values of a file that has one on each line; none where it is not there yet. */
export function linesOf<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

/** A share with its 95 % interval by Wilson. @units percent */
export interface Score {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.959964;

export function wilson(hits: number, count: number): Score {
  if (count === 0) return { share: 0, low: 0, high: 100 };
  const share = hits / count;
  const scale = 1 + Z ** 2 / count;
  const middle = share + Z ** 2 / (2 * count);
  const width = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  return {
    share: 100 * share,
    low: (100 * (middle - width)) / scale,
    high: (100 * (middle + width)) / scale,
  };
}
