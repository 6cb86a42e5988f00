import { createHmac, timingSafeEqual } from 'node:crypto';

/** Why a signature is invalid; undefined when it is valid. */
type SignatureDefect = 'malformed' | 'stale' | 'mismatch' | undefined;

interface Signed {
  readonly header: string | undefined;
  readonly body: Uint8Array;
  readonly secret: string;
  /** The receiver's time; now by default. */
  readonly unixSeconds?: number;
  readonly toleranceSeconds?: number;
}

const FORM = /^t=(\d{1,12}),v0=([0-9a-f]{64}(?:,[0-9a-f]{64})*)$/;

/**
 * Verifies a signature header by the rules for receivers: over the raw bytes, any one of several signatures, within the
 * time tolerance.
 */
export function signatureFault(signed: Signed): SignatureDefect {
  const { header, body, secret, toleranceSeconds = 300 } = signed;
  const { unixSeconds = Math.floor(Date.now() / 1000) } = signed;
  const match = FORM.exec(header ?? '');
  if (!match) return 'malformed';
  const [, moment = '', digests = ''] = match;
  if (Math.abs(unixSeconds - Number(moment)) > toleranceSeconds) return 'stale';
  const due = signatureOf(body, secret, moment);
  const holds = digests
    .split(',')
    .some((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), due));
  return holds ? undefined : 'mismatch';
}

/** The time of dispatch in a signature header, in Unix seconds; undefined when the header is malformed. */
export function momentOf(header: string | undefined): number | undefined {
  const match = FORM.exec(header ?? '');
  return match ? Number(match[1]) : undefined;
}

/** The header of one dispatch of a body, with a signature for each secret. */
export function signatureHeader(
  body: string,
  secrets: readonly string[],
  unixSeconds: number,
): string {
  const digests = secrets.map((secret) => signatureOf(body, secret, `${unixSeconds}`));
  return `t=${unixSeconds},v0=${digests.map((digest) => digest.toString('hex')).join(',')}`;
}

const signatureOf = (body: string | Uint8Array, secret: string, moment: string): Buffer =>
  createHmac('sha256', secret).update(`${moment}.`).update(body).digest();
