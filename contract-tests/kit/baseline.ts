import { readFileSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from './run/read-options.ts';

/** A file of what is known to differ, so that only the rest fails. */
interface Baseline<Known> {
  readonly version: 1;
  readonly known: readonly Known[];
}

/** Reads what a baseline knows. @throws ConfigurationError when the file cannot be read or is no baseline */
export function readBaseline<Known>(file: string): readonly Known[] {
  try {
    const { version, known } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Baseline<Known>>;
    if (version === 1 && Array.isArray(known)) return known;
  } catch (error) {
    throw new ConfigurationError(`${file}: ${(error as Error).message}`);
  }
  throw new ConfigurationError(`${file} is not a baseline`);
}

export function writeBaseline<Known>(known: readonly Known[], file: string): void {
  const baseline: Baseline<Known> = { version: 1, known };
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
}
