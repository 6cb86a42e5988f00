import { plural } from 'billing-emulator/spec';
import { EXIT_CODES } from '../../../kit/run/verdict.ts';
import { EXIT } from '../../serving.ts';
import type { TwinCause } from './causes.ts';
import type { TwinSummary } from './report.ts';

/** The outcome of a comparison: its exit code, the reason as a sentence, and its causes. */
export type TwinVerdict = ReturnType<typeof verdictOf>;

/** A cause, and whether the baseline has it. */
export type ReportedCause = TwinVerdict['causes'][number];

/**
 * The names of causes, such as `createCustomer body.name value`, and of the differences that never came without them, any
 * of which may come first next time.
 */
export const namesOf = (causes: readonly TwinCause[]): readonly string[] =>
  [
    ...new Set(causes.flatMap(({ cause, also }) => [cause, ...also.map(({ name }) => name)])),
  ].sort();

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
