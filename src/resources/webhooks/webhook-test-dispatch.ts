import type { VerbatimBody } from '../../spec/operations.ts';
import { isKnownTopic } from '../../spec/topics.ts';
import type { Context } from '../context.ts';
import { owned } from '../owned-records.ts';
import { notFound } from '../problems.ts';
import { emitWebhookEvent } from './webhook-events.ts';
import { findWebhook } from './webhooks.ts';

interface TestDispatch {
  readonly path: {
    readonly topic: string;
    readonly webhookId?: string;
    readonly connectedAccountId?: string;
  };
  readonly body?: unknown;
}

/**
 * Emits a test event to one destination or to all destinations of the topic, for the caller's account or a connected
 * one. Throws a 404 if the path names anything unknown.
 *
 * @assumes A-1202, A-1207, A-1211
 */
export function testDispatch({ path, body }: TestDispatch, context: Context) {
  const { value: data, text } = body as VerbatimBody;
  const { topic, webhookId, connectedAccountId } = path;
  if (!isKnownTopic(topic)) notFound();
  const id = emitWebhookEvent(context, {
    test: true,
    topic,
    data,
    text,
    owner:
      connectedAccountId === undefined ? context.owner : connected(context, connectedAccountId),
    ...(webhookId !== undefined && { destination: findWebhook(context, webhookId) ?? notFound() }),
  });
  return { status: 202 as const, body: { id } };
}

/** The id of an account that is connected to the caller's. */
const connected = (context: Context, accountId: string): string =>
  (owned(context, context.tables.accounts.get(accountId)) ?? notFound()).id;
