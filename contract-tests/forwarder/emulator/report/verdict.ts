import { plural } from 'billing-emulator/spec';
import { EXIT_CODES } from '../../../kit/run/verdict.ts';
import { EXIT } from '../../serving.ts';
import { withKnown } from './known.ts';
import type { TwinSummary, TwinVerdict } from './report.ts';

/**
 * The exit code of a twin, with the reason as a sentence.
 *
 * @param known the differences of a baseline, which do not fail
 */
export function verdictOf(summary: TwinSummary, known: ReadonlySet<string>): TwinVerdict {
  const { compared, requests, lost } = summary;
  const causes = withKnown(summary.causes, known);
  const fresh = causes.filter(({ isKnown }) => !isKnown).length;
  const end = (code: number, sentence: string): TwinVerdict => ({ code, sentence, causes });
  if (fresh > 0) {
    const beside = known.size > 0 ? ` that the baseline does not know` : '';
    const count = plural(fresh, 'cause');
    return end(EXIT_CODES.drift, `The emulator differs from the service, by ${count}${beside}.`);
  }
  if (lost > 0)
    return end(EXIT.unreachable, `The service did not answer ${lost} of ${requests} requests.`);
  if (compared === 0) return end(EXIT_CODES.vacuous, 'Nothing was compared.');
  if (causes.length > 0)
    return end(EXIT_CODES.met, 'The emulator differs from the service as the baseline knows.');
  return end(EXIT_CODES.met, 'The emulator answers as the service does.');
}
