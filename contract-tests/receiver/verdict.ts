import type { ReceiverResponse } from './post.ts';
import type { ReceiverOutcome } from './requests.ts';

/** How a request ended. */
type Ending = Pick<ReceiverResponse, 'status_code' | 'error'>;

/** Whether a response acknowledges the delivery. @assumes A-1204 */
const isSuccess = ({ status_code: status, error }: Ending): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/**
 * Returns why a response is not as expected, or undefined if it is. `trial` is the outcome of the request
 * before it.
 */
export function reasonOf(
  expected: ReceiverOutcome,
  answer: Ending,
  trial?: Ending,
): string | undefined {
  const { status_code: status, error } = answer;
  if (error !== null) return `expected a response, but ${error}`;
  if (expected === 'either') return undefined;
  if (expected === 'reject')
    return isSuccess(answer) ? `expected a rejection, got ${status}` : undefined;
  if (expected === 'as_before' && trial && !isSuccess(trial))
    return status === trial.status_code
      ? undefined
      : `expected ${trial.status_code} as before, got ${status}`;
  return isSuccess(answer) ? undefined : `expected 2xx, got ${status}`;
}

/** Returns why the effects of deliveries changed, or undefined if they did not or were not read. */
export function reasonOfEffects(
  before?: ReceiverResponse,
  after?: ReceiverResponse,
): string | undefined {
  if (!before || !after) return undefined;
  const wrong = [before, after].find((answer) => !isSuccess(answer));
  if (wrong) return `the effects cannot be read: ${wrong.error ?? `got ${wrong.status_code}`}`;
  if (before.text === after.text) return undefined;
  return `expected no effect, but effects went from ${excerpt(before.text)} to ${excerpt(after.text)}`;
}

/** Returns a remark on a response that is valid but leaves something open. @assumes A-1210 */
export function remarkOn(
  expected: ReceiverOutcome,
  answer: Ending,
  isWatched: boolean,
): string | undefined {
  const { status_code: status } = answer;
  if (expected === 'repeat' && !isWatched)
    return 'the response does not tell whether it had an effect; --effects names a URL that does';
  const isRefusal = expected === 'reject' && status !== null && !isSuccess(answer);
  if (isRefusal && (status < 400 || status >= 500))
    return `rejected with ${status}, which does not say that the request is at fault`;
  return undefined;
}

const LONGEST_EXCERPT = 1000;

export const excerpt = (text: string): string =>
  text.length <= LONGEST_EXCERPT ? text : `${text.slice(0, LONGEST_EXCERPT)}…`;
