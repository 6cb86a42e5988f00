import { readFileSync, writeFileSync } from 'node:fs';
import { type CheckRecord, nameOfCheck } from '../check-run.ts';
import { stableText } from './causes.ts';
import { ConfigurationError } from './read-options.ts';

/** Known failures. The run fails when one of them passes. */
interface Baseline {
  readonly version: 1;
  readonly known: readonly { readonly check: string; readonly difference: string }[];
}

/** Applies a baseline: a check that fails as listed becomes known, one that passes becomes stale. */
export function applyBaseline(checks: readonly CheckRecord[], file: string): void {
  const known = new Map(readBaseline(file).known.map((row) => [row.check, row.difference]));
  for (const check of checks) {
    const difference = known.get(nameOfCheck(check));
    if (difference === undefined) continue;
    if (check.outcome === 'fail' || check.outcome === 'untestable') {
      if (differenceOf(check) === stableText(difference)) check.outcome = 'known';
      else check.notes.push(`the baseline lists another failure: ${difference}`);
    } else if (check.outcome === 'pass') {
      check.outcome = 'stale';
      check.reason = 'the baseline lists it, and it passes';
    }
  }
}

/** Writes the current failures as the new baseline. */
export function writeBaseline(checks: readonly CheckRecord[], file: string): void {
  const known = checks
    .filter(({ outcome }) => ['fail', 'untestable', 'known'].includes(outcome))
    .map((check) => ({ check: nameOfCheck(check), difference: differenceOf(check) }));
  writeFileSync(file, `${JSON.stringify({ version: 1, known } satisfies Baseline, null, 2)}\n`);
}

/** How a check fails, as text that is the same in the next run. */
const differenceOf = ({ failure, reason }: CheckRecord): string =>
  stableText(failure?.differences.join('; ') ?? reason ?? '');

/** Reads a baseline. @throws ConfigurationError when the file cannot be read */
export function readBaseline(file: string): Baseline {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Baseline;
  } catch (error) {
    throw new ConfigurationError(`${file}: ${(error as Error).message}`);
  }
}
