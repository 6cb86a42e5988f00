import { createHmac } from 'node:crypto';

/**
 * Builds the value of the signature header for one dispatch of `body`: one signature per secret, in their
 * order.
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

/** Lower-case hex HMAC-SHA256 of the moment as it is written, a full stop and the bytes of the body. */
export function signatureOf(body: string | Uint8Array, secret: string, moment: string): string {
  return createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');
}
