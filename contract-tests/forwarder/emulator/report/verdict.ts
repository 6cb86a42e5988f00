import { readFileSync, writeFileSync } from 'node:fs';
import { plural } from 'billing-emulator/spec';
import { EXIT_CODES } from '../../../kit/run/verdict.ts';
import { EXIT } from '../../serving.ts';
import type { TwinCause } from './causes.ts';
import type { TwinSummary } from './report.ts';

/** Differences that are known, by name, such as `createCustomer body.name value`. */
interface Baseline {
  readonly version: 1;
  readonly known: readonly string[];
}

/** The outcome of a comparison: its exit code, the reason as a sentence, and its causes. */
export type TwinVerdict = ReturnType<typeof verdictOf>;

/** A cause, and whether the baseline has it. */
export type ReportedCause = TwinVerdict['causes'][number];

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

/**
 * The exit code of a twin, with the reason as a sentence.
 *
 * @param known the differences of a baseline, which do not fail
 */
export function verdictOf(summary: TwinSummary, known: ReadonlySet<string>) {
  const { compared, requests, lost } = summary;
  const causes = summary.causes.map((cause) => ({ ...cause, isKnown: known.has(cause.cause) }));
  const fresh = causes.filter(({ isKnown }) => !isKnown).length;
  const end = (code: number, sentence: string) => ({ code, sentence, causes });
  if (fresh > 0) {
    const beside = known.size > 0 ? ` that the baseline does not know` : '';
    const count = plural(fresh, 'cause');
    return end(EXIT_CODES.drift, `The emulator differs from the service, by ${count}${beside}.`);
  }
  if (lost > 0)
    return end(EXIT.unreachable, `The service did not respond to ${lost} of ${requests} requests.`);
  if (compared === 0) return end(EXIT_CODES.vacuous, 'Nothing was compared.');
  if (causes.length > 0)
    return end(EXIT_CODES.met, 'The emulator differs from the service as the baseline knows.');
  return end(EXIT_CODES.met, 'The emulator responds as the service does.');
}
