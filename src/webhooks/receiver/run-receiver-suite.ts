import { machineTime } from '../../config/machine-time.ts';
import { headersOf } from '../request.ts';
import { RECEIVER_CHECK_IDS, RECEIVER_CHECKS, type ReceiverCheckId } from './receiver-checks.ts';
import type { ReceiverCheckResult, ReceiverReport, SuiteRequestResult } from './receiver-report.ts';
import { postToReceiver, type ReceiverAnswer } from './receiver-request.ts';
import { RECEIVER_SUITE, type SuiteContext, type SuiteRequest } from './receiver-suite.ts';
import { excerpt, judge, remarkOn, validateEffects } from './receiver-verdict.ts';

export interface ReceiverCheckOptions {
  readonly url: string;
  readonly secret: string;
  /** Name from which the signature header's name is built. */
  readonly serviceName: string;
  /** The receiver's current time. @units Unix seconds, the machine's unless told */
  readonly now?: number | undefined;
  /** How far the timestamps of stale and future deliveries lie from now. @units seconds, 3600 unless told */
  readonly distance?: number | undefined;
  /** @units bytes, 256 KiB unless told */
  readonly largeBody?: number | undefined;
  /** Maximum time of a response. @units milliseconds, 15000 unless told */
  readonly timeout?: number | undefined;
  /** Fields of the events' `data`, so that they can name customers that the receiver knows. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** URL that returns the effects of deliveries, such as a count. */
  readonly effectsUrl?: string | undefined;
  readonly skip?: readonly ReceiverCheckId[] | undefined;
}

/**
 * Runs the suite against a receiver, one request after another, and judges each check by its responses. It
 * stops if the receiver rejects genuine requests, because then every rejection would look correct.
 *
 * @assumes A-1209, A-1210
 */
export async function runReceiverSuite(options: ReceiverCheckOptions): Promise<ReceiverReport> {
  const nextEvent = numberEvents();
  const checks: ReceiverCheckResult[] = [];
  let refusesGenuine = false;
  for (const id of RECEIVER_CHECK_IDS) {
    if (options.skip?.includes(id)) checks.push(skipped(id, 'Skipped as requested.'));
    else if (refusesGenuine)
      checks.push(skipped(id, 'Not asked: what is genuine is not accepted.'));
    else checks.push(await runCheck(id, options, nextEvent));
    if (id === 'valid') refusesGenuine = checks[0]?.verdict === 'failed';
  }
  return summarise(options.url, checks);
}

function summarise(url: string, items: ReceiverCheckResult[]): ReceiverReport {
  const count = (wanted: ReceiverCheckResult['verdict']) =>
    items.filter(({ verdict }) => verdict === wanted).length;
  const failed_count = count('failed');
  return {
    url,
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
  nextEvent: SuiteContext['nextEvent'],
): Promise<ReceiverCheckResult> {
  const { secret, now = machineTime() / 1000, distance = 3600, largeBody = 262_144 } = options;
  const context = { secret, now, distance, largeBody, data: options.data ?? {}, nextEvent };
  const requests: SuiteRequestResult[] = [];
  const reasons: string[] = [];
  const remarks: string[] = [];
  for (const request of RECEIVER_SUITE[id](context)) {
    const sent = await sendWatched(request, options, requests.at(-1));
    requests.push(sent.request);
    if (sent.reason !== undefined) reasons.push(`${request.about}: ${sent.reason}`);
    if (sent.remark !== undefined) remarks.push(`${request.about}: ${sent.remark}`);
  }
  return {
    id,
    ...RECEIVER_CHECKS[id],
    verdict: reasons.length === 0 ? 'passed' : 'failed',
    reason: reasons.join('; ') || null,
    remark: remarks.join('; ') || null,
    requests,
  };
}

/** Sends one request. If it should have no effect, reads the effects before and after it. */
async function sendWatched(
  request: SuiteRequest,
  options: ReceiverCheckOptions,
  previous: SuiteRequestResult | undefined,
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
    reason: judge(expected, answer, previous) ?? validateEffects(before, after),
    remark: remarkOn(expected, answer, after !== undefined),
  };
}

function send({ body, signature, slowly }: SuiteRequest, options: ReceiverCheckOptions) {
  const { url, serviceName, timeout = 15_000 } = options;
  const headers = headersOf(serviceName, signature);
  return postToReceiver({ url, headers, body: Buffer.from(body), slowly, timeout });
}

async function lookAtEffects(options: ReceiverCheckOptions): Promise<ReceiverAnswer | undefined> {
  const { effectsUrl: url, timeout = 15_000 } = options;
  if (url === undefined) return undefined;
  return postToReceiver({ url, method: 'GET', headers: {}, body: Buffer.alloc(0), timeout });
}

function skipped(id: ReceiverCheckId, reason: string): ReceiverCheckResult {
  return { id, ...RECEIVER_CHECKS[id], verdict: 'skipped', reason, remark: null, requests: [] };
}

let runs = 0;

/**
 * Returns a function that numbers the events of one run. Ids differ between runs, because receivers can
 * remember them.
 */
function numberEvents(): SuiteContext['nextEvent'] {
  runs += 1;
  const run = `${machineTime().toString(36)}${runs.toString(36).padStart(4, '0')}`;
  let ordinal = 0;
  return () => {
    ordinal += 1;
    return { ordinal, id: `${run}${ordinal.toString(36).padStart(26 - run.length, '0')}` };
  };
}
