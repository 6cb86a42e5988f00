import { readFileSync, writeFileSync } from 'node:fs';
import type { TwinCause } from './causes.ts';
import type { JudgedCause } from './report.ts';

/** Differences that are known, by name, such as `createCustomer body.name value`. */
interface Baseline {
  readonly version: 1;
  readonly known: readonly string[];
}

/** The names of a cause and of the differences that never came without it, any of which may come first next time. */
const namesOf = ({ cause, also }: TwinCause): readonly string[] => [
  cause,
  ...also.map(({ name }) => name),
];

/** Reads the known differences. @throws Error when the file cannot be read or is no baseline */
export function readKnown(file: string): ReadonlySet<string> {
  const { version, known } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Baseline>;
  if (version !== 1 || !Array.isArray(known))
    throw new Error(`${file} is not a baseline of a twin`);
  return new Set(known);
}

export function writeKnown(causes: readonly TwinCause[], file: string): void {
  const known = [...new Set(causes.flatMap(namesOf))].sort();
  writeFileSync(file, `${JSON.stringify({ version: 1, known } satisfies Baseline, null, 2)}\n`);
}

/** Marks the causes that a baseline knows. */
export const withKnown = (
  causes: readonly TwinCause[],
  known: ReadonlySet<string>,
): readonly JudgedCause[] => causes.map((cause) => ({ ...cause, isKnown: known.has(cause.cause) }));
