import {
  type Expectation,
  RECEIVER_CHECK_IDS,
  RECEIVER_CHECKS,
  type ReceiverCheckId,
} from './checks.ts';
import { type ReceiverResponse, sendToReceiver } from './post.ts';
import { type ReceiverOutcome, type ReceiverRequest, RequestMaker } from './requests.ts';
import { excerpt, reasonOf, reasonOfEffects, remarkOn } from './verdict.ts';

export interface ReceiverCheckOptions {
  readonly url: string;
  readonly secret: string;
  /** Name from which the signature header's name is built. */
  readonly serviceName: string;
  /** The receiver's current time. @units Unix seconds, the machine's unless told */
  readonly now?: number | undefined;
  /** Maximum time of a response. @units milliseconds, 15000 unless told */
  readonly timeout?: number | undefined;
  /** Fields of the events' `data`, so that they can name customers that the receiver knows. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** URL that returns the effects of deliveries, such as a count. */
  readonly effectsUrl?: string | undefined;
  readonly skip?: readonly ReceiverCheckId[] | undefined;
}

/** One request of a check as sent, and its outcome. */
interface ReceiverRequestResult {
  readonly about: string;
  readonly expected: ReceiverOutcome;
  /** The signature header; null if there was none. */
  readonly signature: string | null;
  /** The beginning of the body. */
  readonly body: string;
  /** Null if there was no response. */
  readonly status_code: number | null;
  /** The beginning of the response. */
  readonly answer: string;
  /** Why there was no complete response. */
  readonly error: string | null;
  readonly duration_ms: number;
}

export interface ReceiverCheckResult {
  readonly id: ReceiverCheckId;
  readonly title: string;
  readonly expectation: Expectation;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason: string | null;
  /** Facts that the responses do not show. */
  readonly remark: string | null;
  readonly requests: readonly ReceiverRequestResult[];
}

export type ReceiverReport = ReturnType<typeof summarise>;

/**
 * Checks a receiver by one request after another. It
 * stops if the receiver rejects genuine requests, because then every rejection would look correct.
 *
 * @assumes A-1209, A-1210
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport> {
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
  return summarise(options.url, checks);
}

function summarise(url: string, items: readonly ReceiverCheckResult[]) {
  const count = (wanted: ReceiverCheckResult['verdict']) =>
    items.filter(({ verdict }) => verdict === wanted).length;
  const failed_count = count('failed');
  return {
    url,
    /** Whether no check failed. */
    passed: failed_count === 0,
    passed_count: count('passed'),
    failed_count,
    skipped_count: count('skipped'),
    items,
  };
}

async function runCheck(
  id: ReceiverCheckId,
  options: ReceiverCheckOptions,
  nextEvent: ReturnType<typeof numberEvents>,
): Promise<ReceiverCheckResult> {
  const { secret, now = Date.now() / 1000, data = {} } = options;
  const { requests: requestsOf, ...about } = RECEIVER_CHECKS[id];
  const make = new RequestMaker(secret, now, data, nextEvent);
  const requests: ReceiverRequestResult[] = [];
  const reasons: string[] = [];
  const remarks: string[] = [];
  for (const request of requestsOf(make)) {
    const sent = await sendWatched(request, options, requests.at(-1));
    requests.push(sent.request);
    if (sent.reason !== undefined) reasons.push(`${request.about}: ${sent.reason}`);
    if (sent.remark !== undefined) remarks.push(`${request.about}: ${sent.remark}`);
  }
  return {
    ...{ id, ...about },
    verdict: reasons.length === 0 ? 'passed' : 'failed',
    reason: reasons.join('; ') || null,
    remark: remarks.join('; ') || null,
    requests,
  };
}

/** Sends one request. If it should have no effect, reads the effects before and after it. */
async function sendWatched(
  request: ReceiverRequest,
  options: ReceiverCheckOptions,
  previous: ReceiverRequestResult | undefined,
) {
  const { about, expected, signature } = request;
  const isWatched = expected === 'reject' || expected === 'repeat';
  const before = isWatched ? await lookAtEffects(options) : undefined;
  const answer = await send(request, options);
  const after = isWatched ? await lookAtEffects(options) : undefined;
  return {
    request: {
      about,
      expected,
      signature,
      body: excerpt(request.body),
      status_code: answer.status_code,
      answer: excerpt(answer.text),
      error: answer.error,
      duration_ms: answer.duration_ms,
    },
    reason: reasonOf(expected, answer, previous) ?? reasonOfEffects(before, after),
    remark: remarkOn(expected, answer, after !== undefined),
  };
}

/** The headers of a webhook request, as the service sends it. @assumes A-101 */
function send({ body, signature, isSlow }: ReceiverRequest, options: ReceiverCheckOptions) {
  const { url, serviceName, timeout = PRESET_TIMEOUT } = options;
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}-Webhooks/1.0`,
    ...(signature !== null && { [`${serviceName}-Signature`]: signature }),
  };
  return sendToReceiver({
    ...{ url, method: 'POST', headers, body: Buffer.from(body), isSlow, timeout },
  });
}

async function lookAtEffects(options: ReceiverCheckOptions): Promise<ReceiverResponse | undefined> {
  const { effectsUrl: url, timeout = PRESET_TIMEOUT } = options;
  if (url === undefined) return undefined;
  return sendToReceiver({ url, method: 'GET', headers: {}, body: Buffer.alloc(0), timeout });
}

function skipped(id: ReceiverCheckId, reason: string): ReceiverCheckResult {
  const { title, expectation } = RECEIVER_CHECKS[id];
  return { id, title, expectation, verdict: 'skipped', reason, remark: null, requests: [] };
}

/** @units milliseconds */
const PRESET_TIMEOUT = 15_000;

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
