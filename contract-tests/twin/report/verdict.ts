import { plural } from 'billing-emulator/internals';
import { EXIT_CODES } from '../../kit/run/verdict.ts';
import type { TwinSummary } from './report.ts';

/** The exit code of a twin, with the reason as a sentence. */
export interface TwinVerdict {
  readonly code: number;
  readonly sentence: string;
}

/** The exit code when the upstream service does not respond, as for the proxy. */
const UNREACHABLE = 6;

/** Returns the verdict on a comparison. */
export function verdictOf({ causes, compared, requests, lost }: TwinSummary): TwinVerdict {
  if (causes.length > 0)
    return {
      code: EXIT_CODES.drift,
      sentence: `The emulator differs from the service, by ${plural(causes.length, 'cause')}.`,
    };
  if (lost > 0)
    return {
      code: UNREACHABLE,
      sentence: `The service did not answer ${lost} of ${requests} requests.`,
    };
  if (compared === 0) return { code: EXIT_CODES.vacuous, sentence: 'Nothing was compared.' };
  return { code: EXIT_CODES.met, sentence: 'The emulator answers as the service does.' };
}
