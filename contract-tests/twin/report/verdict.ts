import { plural } from 'billing-emulator/internals';
import { EXIT_CODES } from '../../kit/run/verdict.ts';
import { EXIT } from '../../proxy/serving.ts';
import type { TwinSummary } from './report.ts';

/** The exit code of a twin, with the reason as a sentence. */
export function verdictOf({ causes, compared, requests, lost }: TwinSummary) {
  if (causes.length > 0)
    return {
      code: EXIT_CODES.drift,
      sentence: `The emulator differs from the service, by ${plural(causes.length, 'cause')}.`,
    };
  if (lost > 0)
    return {
      code: EXIT.unreachable,
      sentence: `The service did not answer ${lost} of ${requests} requests.`,
    };
  if (compared === 0) return { code: EXIT_CODES.vacuous, sentence: 'Nothing was compared.' };
  return { code: EXIT_CODES.met, sentence: 'The emulator answers as the service does.' };
}
