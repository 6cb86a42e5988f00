import { throwIfInvalid, violate } from '../../domain/rules.ts';
import { ANY_TOPIC, validateWebhookUrl } from '../../domain/webhooks.ts';
import type { VerbatimBody } from '../../spec/operations.ts';
import { isKnownTopic, knownTopics } from '../../spec/topics.ts';
import { destinationId } from '../../store/ids.ts';
import { rowsOf } from '../../store/query.ts';
import type { WebhookRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { abandonDelivery } from '../../webhooks/delivery-rows.ts';
import { type Context, type Handler, newRecord, owned } from '../context.ts';
import { notFound } from '../problems.ts';
import { warn } from '../warnings.ts';
import { emitWebhookEvent } from './webhook-events.ts';

export const createWebhook: Handler<'createWebhook'> = ({ body }, context) => {
  const { tables, world, owner, now } = context;
  throwIfInvalid(validateWebhookUrl(body.url));

  const webhook = tables.webhooks.put(
    newRecord(context, 'webhook', {
      updated_at: now,
      url: body.url,
      topics: body.topics ?? [ANY_TOPIC],
      connect: body.connect ?? false,
      enabled: true,
      secret: `whsec_${world.nextToken('webhook secret', owner)}`,
    }),
  );
  warnOfUnknownTopics(context, webhook);
  const { id, secret, created_at } = webhook;
  return { status: 201, body: { id, secret, created_at } };
};

export const listWebhooks: Handler<'listWebhooks'> = ({ query }, { tables, owner }) => {
  const { enabled, connect } = query;
  const items = rowsOf(tables.webhooks, { owner })
    .filter((row) => enabled === undefined || row.enabled === enabled)
    .filter((row) => connect === undefined || row.connect === connect)
    .map(presentWebhook)
    .reverse();
  return { status: 200, body: { items, total_count: items.length } };
};

export const getWebhook: Handler<'getWebhook'> = ({ path }, context) => {
  const webhook = findWebhook(context, path.webhookId) ?? notFound();
  return { status: 200, body: { ...presentWebhook(webhook), secret: webhook.secret } };
};

export const updateWebhook: Handler<'updateWebhook'> = ({ path, body }, context) => {
  const { tables, now } = context;
  const webhook = findWebhook(context, path.webhookId) ?? violate('webhook.unknown', 'webhookId');
  const { url = webhook.url, topics = webhook.topics, enabled = webhook.enabled } = body;
  throwIfInvalid(validateWebhookUrl(url));

  const updated = tables.webhooks.put({ ...webhook, url, topics, enabled, updated_at: now });
  warnOfUnknownTopics(context, updated);
  return { status: 200, body: presentWebhook(updated) };
};

export const deleteWebhook: Handler<'deleteWebhook'> = ({ path }, context) => {
  const webhook = findWebhook(context, path.webhookId) ?? violate('webhook.unknown', 'webhookId');
  endDeliveries(context, webhook.id);
  context.tables.webhooks.remove(webhook.id);
  return { status: 204 };
};

/** Finds a destination of the caller's account by id. */
const findWebhook = (context: Context, id: string): WebhookRow | undefined =>
  owned(context, context.tables.webhooks.get(destinationId(id)));

/** Abandons waiting deliveries to a removed destination. */
function endDeliveries({ tables, now }: Context, id: string): void {
  for (const wait of ['turn', 'clock', 'successor'] as const)
    for (const delivery of [...tables.deliveries.sorted('waiting', key(wait, id))])
      abandonDelivery(tables, delivery, 'The destination was removed.', now);
}

function presentWebhook(webhook: WebhookRow) {
  const { id, url, connect, enabled, created_at, updated_at } = webhook;
  return { id, url, topics: [...webhook.topics], connect, enabled, created_at, updated_at };
}

/** An unknown topic is stored, with a warning. @assumes A-1202 */
function warnOfUnknownTopics(context: Context, { id, topics }: WebhookRow): void {
  const known = knownTopics().join(', ');
  for (const topic of topics) {
    if (topic === ANY_TOPIC || isKnownTopic(topic)) continue;
    warn(context, {
      kind: 'unknown_topic',
      place: `${id} ${topic}`,
      message: `Destination ${id} subscribes to ${topic}, which is never sent. Known: ${known}.`,
      field: 'topics',
    });
  }
}

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
