import { readFileSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from '../../kit/run/read-options.ts';

/** A file of the causes that are known, so that only others fail. */
interface Baseline {
  readonly version: 1;
  readonly known: readonly string[];
}

/** Reads what a baseline knows. @throws ConfigurationError when the file cannot be read or is no baseline */
export function readBaseline(file: string): readonly string[] {
  try {
    const { version, known } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Baseline>;
    if (version === 1 && Array.isArray(known)) return known;
  } catch (error) {
    throw new ConfigurationError(`${file}: ${(error as Error).message}`);
  }
  throw new ConfigurationError(`${file} is not a baseline`);
}

export function writeBaseline(known: readonly string[], file: string): void {
  const baseline: Baseline = { version: 1, known };
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
}
