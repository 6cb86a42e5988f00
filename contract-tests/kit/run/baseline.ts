import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type CheckRecord, nameOfPart } from '../trial.ts';
import { ConfigurationError } from './options.ts';

/** Failures that are known and waited for. One that no longer fails must leave the list. */
interface Baseline {
  readonly version: 1;
  readonly known: readonly { readonly check: string; readonly difference: string }[];
}

/** Marks what a baseline knows: failing as known, passing as stale. */
export function applyBaseline(checks: readonly CheckRecord[], file: string): void {
  const known = new Set(readBaseline(file).known.map(({ check }) => check));
  for (const check of checks) {
    if (!known.has(nameOfPart(check))) continue;
    if (check.outcome === 'fail' || check.outcome === 'untestable') check.outcome = 'known';
    else if (check.outcome === 'pass') {
      check.outcome = 'stale';
      check.reason = 'the baseline lists it, and it passes';
    }
  }
}

/** Writes what fails now as the new baseline. */
export function writeBaseline(checks: readonly CheckRecord[], file: string): void {
  const known = checks
    .filter(({ outcome }) => ['fail', 'untestable', 'known'].includes(outcome))
    .map((check) => ({
      check: nameOfPart(check),
      difference: check.failure?.differences[0] ?? check.reason ?? '',
    }));
  writeFileSync(file, `${JSON.stringify({ version: 1, known } satisfies Baseline, null, 2)}\n`);
}

/**
 * Reads a baseline.
 *
 * @throws ConfigurationError when the file cannot be read
 */
export function readBaseline(file: string): Baseline {
  if (!existsSync(file)) throw new ConfigurationError(`There is no baseline ${file}`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Baseline;
  } catch (error) {
    throw new ConfigurationError(`${file}: ${(error as Error).message}`);
  }
}
