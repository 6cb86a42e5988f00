import type { Instant } from './instant.ts';

/** What the envelope of a webhook event tells. */
export interface EnvelopeParts {
  readonly id: string;
  readonly topic: string;
  readonly created: Instant;
  readonly live: boolean;
  /** The connected account it happened to, where the platform is told. */
  readonly accountId?: string | undefined;
  /** As JSON. */
  readonly data: string;
}

/**
 * The envelope as text. It is made once and sent as it is, for signatures are reckoned over its bytes.
 *
 * @source  specification, Envelope
 * @assumes A-1206
 */
export function writeEnvelope({
  id,
  topic,
  created,
  live,
  accountId,
  data,
}: EnvelopeParts): string {
  const head = JSON.stringify({
    id,
    type: topic,
    created,
    live_mode: live,
    ...(accountId !== undefined && { account_id: accountId }),
  });
  return `${head.slice(0, -1)},"data":${data}}`;
}
