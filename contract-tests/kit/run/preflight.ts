import { BrokenResponse, Unreachable } from '../outcome.ts';
import type { ReceivedResponse } from '../target/client.ts';
import { type Asking, askTarget } from '../target/patience.ts';

/** The identity of a target, from the first request. */
export interface Preflight {
  /**
   * The result: answered, key_refused, redirected, unexpected, or the reason why there is no response (refused,
   * no_answer, certificate, unknown_host, broken).
   */
  readonly verdict: string;
  readonly status: number | undefined;
  readonly environment: 'live' | 'test' | 'unknown';
  readonly accountId: string | undefined;
  readonly clockSkewMs: number;
}

const NOTHING = {
  status: undefined,
  environment: 'unknown',
  accountId: undefined,
  clockSkewMs: 0,
} as const;

/** Reads the target's identity with one request. Anything unclear leaves the environment unknown. */
export async function preflight(plan: Asking): Promise<Preflight> {
  try {
    return contextIn(await askTarget(plan, 'getAccountContext', {}));
  } catch (error) {
    const isSilent = error instanceof Unreachable || error instanceof BrokenResponse;
    if (!isSilent) throw error;
    return { ...NOTHING, verdict: error.message };
  }
}

/** Reads the identity from a response to `getAccountContext`. */
export function contextIn({ status, body, headers }: ReceivedResponse): Preflight {
  const date = Date.parse(String(headers['date']));
  const clockSkewMs = Number.isNaN(date) ? 0 : skewOf(date);
  const found = { ...NOTHING, status, clockSkewMs };
  if (status === 401 || status === 403) return { ...found, verdict: 'key_refused' };
  if (status >= 300 && status < 400) return { ...found, verdict: 'redirected' };
  const { account_id: accountId, environment } = (body ?? {}) as Record<string, unknown>;
  const isPlain =
    status === 200 &&
    typeof accountId === 'string' &&
    accountId !== '' &&
    (environment === 'live' || environment === 'test');
  return isPlain
    ? { ...found, verdict: 'answered', environment, accountId }
    : { ...found, verdict: 'unexpected' };
}

/** The Date header has whole seconds, so a difference of less than two seconds counts as none. */
function skewOf(date: number): number {
  const skew = date - Date.now();
  return Math.abs(skew) < 2_000 ? 0 : skew;
}

const SENTENCES: Readonly<Record<string, string>> = {
  answered: 'The target responded and said what it is.',
  key_refused:
    'The target rejected the key. --service-name and --key-place say in which header it is sent.',
  redirected: 'The target redirects elsewhere; give the address it redirects to.',
  unexpected: 'The target did not say what it is, so it is treated as live and only read.',
  refused: 'Nothing listens at the address.',
  no_answer: 'The target took the request and never responded.',
  certificate: 'The certificate of the target is not valid.',
  unknown_host: 'The name of the host is not known.',
};

export const sentenceOf = (verdict: string): string =>
  SENTENCES[verdict] ?? `The target broke the connection: ${verdict}.`;

/** Whether the verdict rules out any check. */
export const isBeyondReach = ({ verdict }: Pick<Preflight, 'verdict'>): boolean =>
  verdict !== 'answered' && verdict !== 'unexpected';
