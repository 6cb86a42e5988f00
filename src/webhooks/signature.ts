import { createHmac, timingSafeEqual } from 'node:crypto';
import { machineTime } from '../config/machine-time.ts';

/**
 * Builds the signature header of one dispatch of `body`, with one signature per secret in the given order.
 *
 * @units  `unixSeconds` in whole seconds, the moment of dispatch rather than of the event
 * @source specification, Signature 1 to 3
 */
export function sign(
  body: string | Uint8Array,
  secrets: readonly string[],
  unixSeconds: number,
): string {
  const digests = secrets.map((secret) => signatureOf(body, secret, String(unixSeconds)));
  return `t=${unixSeconds},v0=${digests.join(',')}`;
}

/** Returns the lower-case hex HMAC-SHA256 of the timestamp text, a full stop and the bytes of the body. */
const signatureOf = (body: string | Uint8Array, secret: string, moment: string): string =>
  createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');

/** Why a request is not genuine, as messages for a log. */
export const SIGNATURE_FAULTS = {
  missing_header: 'The request carries no signature header.',
  missing_timestamp: 'The signature header has no t= part.',
  malformed_timestamp: 'The t= part of the signature header is not one whole number of seconds.',
  missing_signature: 'The signature header has no v0= part with a signature.',
  mismatch:
    'No v0 signature is that of the body under the secret. Compare the raw bytes as received, ' +
    'not JSON that was read and written again, and check which secret belongs to the destination.',
  stale: 'The signature is valid but older than the tolerance.',
  future: 'The signature is valid but further in the future than the tolerance.',
} as const;

export type SignatureFault = keyof typeof SIGNATURE_FAULTS;

export type SignatureVerdict =
  | { readonly valid: true; readonly timestamp: number }
  | { readonly valid: false; readonly reason: SignatureFault; readonly message: string };

export interface VerifyOptions {
  /** Maximum difference between the time of dispatch and now, in both directions. @units seconds, 300 by default */
  readonly toleranceSeconds?: number;
  /** The current time, as a Date or Unix seconds. Default: the machine's time. */
  readonly now?: Date | number;
}

/**
 * Verifies that a webhook request is genuine and recent: one of the secrets signed exactly these bytes. All
 * signatures are compared with all secrets in constant time, so that timing reveals nothing. Age is checked
 * last, because only a genuine timestamp has a meaning.
 *
 * @units  timestamps in Unix seconds
 * @throws TypeError when called with what can never verify: a parsed body, no secret, an empty secret,
 *         `now` in milliseconds, or a tolerance that is no number
 * @source specification, Signature 1 to 5
 * @assumes A-1209 what receivers are advised to do where the specification leaves it open
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = machineTime() / 1000 }: VerifyOptions = {},
): SignatureVerdict {
  const keys = typeof secrets === 'string' ? [secrets] : secrets;
  const seconds = typeof now === 'number' ? now : now.getTime() / 1000;
  refuseMisuse(rawBody, keys, seconds, toleranceSeconds);
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '');
  if (text.trim() === '') return fault('missing_header');
  const { moments, signatures } = readSignatureHeader(text);
  const [moment, ...others] = moments;
  if (moment === undefined) return fault('missing_timestamp');
  if (!/^\d{1,12}$/.test(moment) || others.length > 0) return fault('malformed_timestamp');
  if (signatures.length === 0) return fault('missing_signature');
  const expected = keys.map((secret) => signatureOf(rawBody, secret, moment));
  if (!anyEqual(signatures, expected)) return fault('mismatch');
  const age = seconds - Number(moment);
  if (age > toleranceSeconds) return fault('stale');
  if (-age > toleranceSeconds) return fault('future');
  return { valid: true, timestamp: Number(moment) };
}

/**
 * Reads `t=<timestamp>,v0=<signature>`. A part without a name continues the one before, so that `v0` can hold
 * several signatures. Parts with other names are reserved for future schemes. Proxies can add spaces around a
 * part, which are ignored.
 *
 * @source specification, Signature 2
 */
function readSignatureHeader(text: string) {
  const moments: string[] = [];
  const signatures: string[] = [];
  let name = '';
  for (const part of text.split(',')) {
    const mark = part.indexOf('=');
    if (mark >= 0) name = part.slice(0, mark).trim();
    const value = part.slice(mark + 1).trim();
    if (name === 't') moments.push(value);
    if (name === 'v0' && value !== '') signatures.push(value);
  }
  return { moments, signatures };
}

function fault(reason: SignatureFault): SignatureVerdict {
  return { valid: false, reason, message: SIGNATURE_FAULTS[reason] };
}

/** Compares all pairs. It does not stop at the first match, to stay constant in time. */
function anyEqual(given: readonly string[], expected: readonly string[]): boolean {
  const wanted = expected.map((text) => Buffer.from(text));
  let found = false;
  for (const text of given) {
    const bytes = Buffer.from(text);
    for (const each of wanted)
      if (bytes.length === each.length && timingSafeEqual(bytes, each)) found = true;
  }
  return found;
}

const LARGEST_SECONDS = 1e11;

/** Throws on calls that would reject or accept every request. */
function refuseMisuse(
  rawBody: unknown,
  secrets: readonly unknown[],
  now: number,
  tolerance: number,
): void {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('rawBody must be the bytes or the text as received, not parsed JSON.');
  if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || each === ''))
    throw new TypeError('secrets must hold at least one secret, and none that is empty.');
  if (!Number.isFinite(now) || now > LARGEST_SECONDS)
    throw new TypeError('now must be a Date or Unix seconds, not milliseconds.');
  if (!(tolerance >= 0)) throw new TypeError('toleranceSeconds must be a number of at least 0.');
}
