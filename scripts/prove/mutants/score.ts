import { existsSync, readFileSync } from 'node:fs';

/**
 * The outcome for a mutant. If it changes a response of the corpus: `killed` if a check fails, else `survived`. If it
 * changes none: `beyond` if a check fails, else `unchanged`.
 */
export interface Verdict {
  readonly id: number;
  readonly result: 'killed' | 'survived' | 'beyond' | 'unchanged';
  /** The check that failed, or the story whose responses differ. */
  readonly by: string | undefined;
  /** Number of checks that ran. */
  readonly tries: number;
  readonly milliseconds: number;
}

/** The JSON values of a file with one per line. Empty if the file does not exist yet. */
export function linesOf<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

/** A share with its 95 % Wilson interval. @units percent */
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
