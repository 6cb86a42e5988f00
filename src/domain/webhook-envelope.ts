import type { Instant } from './instant.ts';

/** The fields of a webhook envelope before its data, in this order. */
export interface EnvelopeHead {
  readonly id: string;
  readonly type: string;
  readonly created: Instant;
  readonly live_mode: boolean;
  /** The connected account of the event, if the platform receives it. */
  readonly account_id?: string | undefined;
}

/**
 * The envelope as text, with its data as JSON. The text is created once and sent unchanged, because signatures cover
 * its bytes.
 *
 * @source  specification, Envelope
 * @assumes A-1206
 */
export const writeEnvelope = (head: EnvelopeHead, data: string): string =>
  `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;

export const ANY_TOPIC = '*';

export const matchesTopic = (topics: readonly string[], topic: string): boolean =>
  topics.includes(ANY_TOPIC) || topics.includes(topic);
