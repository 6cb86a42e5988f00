import type { Instant } from './instant.ts';

/** What the envelope of a webhook event says before its data, in this order. */
export interface EnvelopeHead {
  readonly id: string;
  readonly type: string;
  readonly created: Instant;
  readonly live_mode: boolean;
  /** The connected account it happened to, where the platform is told. */
  readonly account_id?: string | undefined;
}

/**
 * The envelope as text, with its data as JSON. It is made once and sent as it is, for signatures are computed over
 * its bytes.
 *
 * @source  specification, Envelope
 * @assumes A-1206
 */
export const writeEnvelope = (head: EnvelopeHead, data: string): string =>
  `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
