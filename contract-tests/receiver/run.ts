import {
  type Expectation,
  RECEIVER_CHECK_IDS,
  RECEIVER_CHECKS,
  type ReceiverCheckId,
} from './checks.ts';
import { type ReceiverResponse, sendToReceiver } from './post.ts';
import { type ReceiverOutcome, type ReceiverRequest, RequestMaker } from './requests.ts';

export interface ReceiverCheckOptions {
  readonly url: string;
  readonly secret: string;
  /** Name from which the signature header's name is built. */
  readonly serviceName: string;
  /** The receiver's current time. @units Unix seconds, the machine's unless told */
  readonly now?: number | undefined;
  /** Maximum time of a response. @units milliseconds */
  readonly timeout: number;
  /** Fields of the events' `data`, so that they can name customers that the receiver knows. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** URL that returns the effects of deliveries, such as a count. */
  readonly effectsUrl?: string | undefined;
  readonly skip?: readonly ReceiverCheckId[] | undefined;
}

export interface ReceiverCheckResult {
  readonly id: ReceiverCheckId;
  readonly title: string;
  readonly expectation: Expectation;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason: string | null;
}

/**
 * Checks a receiver by one request after another. It
 * stops if the receiver rejects genuine requests, because then every rejection would look correct.
 *
 * @assumes A-1209, A-1210
 */
export async function checkReceiver(
  options: ReceiverCheckOptions,
): Promise<readonly ReceiverCheckResult[]> {
  const nextEvent = numberEvents();
  const checks: ReceiverCheckResult[] = [];
  let refusesGenuine = false;
  for (const id of RECEIVER_CHECK_IDS) {
    if (options.skip?.includes(id)) checks.push(skipped(id, 'Skipped as requested.'));
    else if (refusesGenuine)
      checks.push(skipped(id, 'Not run: the receiver rejects genuine events.'));
    else checks.push(await runCheck(id, options, nextEvent));
    if (id === 'valid') refusesGenuine = checks[0]?.verdict === 'failed';
  }
  return checks;
}

async function runCheck(
  id: ReceiverCheckId,
  options: ReceiverCheckOptions,
  nextEvent: ReturnType<typeof numberEvents>,
): Promise<ReceiverCheckResult> {
  const { secret, now = Date.now() / 1000, data = {} } = options;
  const { requests: requestsOf, ...about } = RECEIVER_CHECKS[id];
  const make = new RequestMaker(secret, now, data, nextEvent);
  const reasons: string[] = [];
  for (const request of requestsOf(make)) {
    const reason = await sendWatched(request, options);
    if (reason !== undefined) reasons.push(`${request.about}: ${reason}`);
  }
  return {
    id,
    ...about,
    verdict: reasons.length === 0 ? 'passed' : 'failed',
    reason: reasons.join('; ') || null,
  };
}

/**
 * Sends one request. If it should have no effect, reads the effects before and after it. Returns why the outcome is not as
 * expected; undefined if it is.
 */
async function sendWatched(
  request: ReceiverRequest,
  options: ReceiverCheckOptions,
): Promise<string | undefined> {
  const isWatched = request.expected !== 'accept';
  const before = isWatched ? await lookAtEffects(options) : undefined;
  const answer = await send(request, options);
  const after = isWatched ? await lookAtEffects(options) : undefined;
  return reasonOf(request.expected, answer) ?? reasonOfEffects(before, after);
}

/** The headers of a webhook request, as the service sends it. @assumes A-101 */
function send({ body, signature, isSlow }: ReceiverRequest, options: ReceiverCheckOptions) {
  const { url, serviceName, timeout } = options;
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}-Webhooks/1.0`,
    ...(signature !== null && { [`${serviceName}-Signature`]: signature }),
  };
  return sendToReceiver({
    url,
    method: 'POST',
    headers,
    body: Buffer.from(body),
    isSlow,
    timeout,
  });
}

async function lookAtEffects(options: ReceiverCheckOptions): Promise<ReceiverResponse | undefined> {
  const { effectsUrl: url, timeout } = options;
  if (url === undefined) return undefined;
  return sendToReceiver({ url, method: 'GET', headers: {}, body: Buffer.alloc(0), timeout });
}

/** Whether a response acknowledges the delivery. @assumes A-1204 */
const isSuccess = ({ status_code: status, error }: ReceiverResponse): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/** Returns why a response is not as expected, or undefined if it is. */
function reasonOf(expected: ReceiverOutcome, answer: ReceiverResponse): string | undefined {
  const { status_code: status, error } = answer;
  if (error !== null) return `expected a response, but ${error}`;
  if (isSuccess(answer) === (expected !== 'reject')) return undefined;
  return `expected ${expected === 'reject' ? 'a rejection' : '2xx'}, got ${status}`;
}

/** Returns why the effects of deliveries changed, or undefined if they did not or were not read. */
function reasonOfEffects(before?: ReceiverResponse, after?: ReceiverResponse): string | undefined {
  if (!before || !after) return undefined;
  const wrong = [before, after].find((answer) => !isSuccess(answer));
  if (wrong) return `the effects cannot be read: ${wrong.error ?? `got ${wrong.status_code}`}`;
  if (before.text === after.text) return undefined;
  return `expected no effect, but effects went from ${excerpt(before.text)} to ${excerpt(after.text)}`;
}

const LONGEST_EXCERPT = 1000;

const excerpt = (text: string): string =>
  text.length <= LONGEST_EXCERPT ? text : `${text.slice(0, LONGEST_EXCERPT)}…`;

function skipped(id: ReceiverCheckId, reason: string): ReceiverCheckResult {
  const { title, expectation } = RECEIVER_CHECKS[id];
  return { id, title, expectation, verdict: 'skipped', reason };
}

let runs = 0;

/**
 * Returns a function that numbers the events of one run. Ids differ between runs, because receivers can
 * remember them.
 */
function numberEvents() {
  runs += 1;
  const run = `${Date.now().toString(36)}${runs.toString(36).padStart(4, '0')}`;
  let ordinal = 0;
  return () => {
    ordinal += 1;
    return { ordinal, id: `${run}${ordinal.toString(36).padStart(26 - run.length, '0')}` };
  };
}
