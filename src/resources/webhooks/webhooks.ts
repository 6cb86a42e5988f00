import { throwIfInvalid, violate } from '../../domain/rules.ts';
import { ANY_TOPIC } from '../../domain/webhook-envelope.ts';
import { validateWebhookUrl } from '../../domain/webhook-url.ts';
import { isKnownTopic, knownTopics } from '../../spec/topics.ts';
import { destinationId } from '../../store/ids.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { WebhookRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { abandonDelivery } from '../../webhooks/record.ts';
import type { Context, Handler } from '../context.ts';
import { newRecord, owned } from '../owned-records.ts';
import { notFound } from '../problems.ts';
import { warn } from '../warnings.ts';

export const createWebhook: Handler<'createWebhook'> = ({ body }, context) => {
  const { tables, world, owner, now } = context;
  throwIfInvalid(validateWebhookUrl(body.url, 'url'));

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
  throwIfInvalid(validateWebhookUrl(url, 'url'));

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
export const findWebhook = (context: Context, id: string): WebhookRow | undefined =>
  owned(context, context.tables.webhooks.get(destinationId(id)));

/** Abandons waiting deliveries to a removed destination. */
function endDeliveries({ tables, now }: Context, id: string): void {
  for (const wait of ['turn', 'clock', 'successor'] as const)
    for (const delivery of [...tables.deliveries.list('waiting', key(wait, id))])
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
