import ipaddr from 'ipaddr.js';
import type { Instant } from './instant.ts';
import { type Finding, findingIf } from './rules.ts';

const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

/** Checks the URL of a destination by its normalised text, without a name lookup. @assumes A-1201 */
export function validateWebhookUrl(text: string): Finding[] {
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname));
  return [
    ...findingIf(url.username !== '' || url.password !== '', 'url.credentials', 'url'),
    ...findingIf(!isSafe, 'url.scheme', 'url'),
  ];
}

/** Host names that public DNS does not resolve: a single label, or a suffix reserved for local machines. */
const LOCAL_NAME = /^[^.[\]]+$|\.(localhost|internal|local|test)$/;

/** Whether a host belongs to this machine or a private network, by its text. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return LOCAL_RANGES.has(ipaddr.process(host).range());
  return LOCAL_NAME.test(host);
}

/** The fields of a webhook envelope before its data, in this order. */
interface EnvelopeHead {
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
