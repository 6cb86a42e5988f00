import { createHmac } from 'node:crypto';

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
export const signatureOf = (body: string | Uint8Array, secret: string, moment: string): string =>
  createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');
