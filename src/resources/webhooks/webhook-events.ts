import { omitNullish } from '../../domain/fields.ts';
import { matchesTopic, writeEnvelope } from '../../domain/webhooks.ts';
import type { Topic, TopicPayload } from '../../spec/topics.ts';
import { rowsOf } from '../../store/query.ts';
import type { WebhookRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { enqueueDelivery } from '../../webhooks/delivery-rows.ts';
import type { Context } from '../context.ts';
import { warn } from '../warnings.ts';

/** An event with the payload of its topic. */
type TopicEvent = { [T in Topic]: { readonly topic: T; readonly data: TopicPayload<T> } }[Topic];

/** A test event has any data that the caller sends. */
interface TestEvent {
  readonly test: true;
  readonly topic: Topic;
  readonly data: unknown;
  /** The data as JSON, with exact numbers. */
  readonly text: string;
}

/** An event for the destinations of its topic. */
type WebhookNews = (TestEvent | (TopicEvent & { readonly test?: never })) & {
  /** The account of the event: the platform's or a connected one. */
  readonly owner: string;
  /** The only destination to notify, whatever its topics. */
  readonly destination?: WebhookRow;
};

/**
 * Stores a webhook event with the destinations that match now, and returns its id. An event of a connected account
 * is in that account's log. It is also in the platform's log if the platform's destinations receive it.
 *
 * @assumes A-104, A-1206
 */
export function emitWebhookEvent(context: Context, news: WebhookNews): string {
  const platform = context.world.accountId;
  const event_id = context.world.nextId('webhook_event', news.owner);
  record(context, news, event_id, news.owner);
  const isOurs = news.owner === platform;
  if (isOurs) warnOfUnreached(context, news, event_id);
  const isOurTest = news.test === true && context.owner === platform;
  if (!isOurs && (isOurTest || match(context, news, platform).length > 0))
    record(context, news, event_id, platform);
  return event_id;
}

/** Warns of destinations that receive only events of connected accounts, if the event has none. @assumes A-1402 */
function warnOfUnreached(context: Context, news: WebhookNews, event_id: string): void {
  const { topic, destination, owner } = news;
  for (const row of rowsOf(context.tables.webhooks, { owner })) {
    const isMeant = destination ? row.id === destination.id : matchesTopic(row.topics, topic);
    if (!row.connect || !row.enabled || !isMeant) continue;
    warn(context, {
      kind: 'no_account',
      place: key(row.id, topic),
      message: `${row.url} receives only events of connected accounts, and ${event_id} is not one.`,
      field: row.id,
    });
  }
}

/** Stores an event in the log of one account, with the deliveries to that account's destinations. */
function record(context: Context, news: WebhookNews, event_id: string, owner: string): void {
  const { tables, world, now } = context;
  const { topic, data } = news;
  const account_id = owner === news.owner ? undefined : news.owner;
  const text = news.test ? news.text : JSON.stringify(data);
  const live_mode = world.environment === 'live';
  const head = { id: event_id, type: topic, created: now, live_mode, account_id };
  const event = tables.webhook_events.put({
    id: key(owner, event_id),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    event_id,
    ...omitNullish({ account_id }),
    topic,
    data,
    body: writeEnvelope(head, text),
    matched_destination_ids: match(context, news, owner).map(({ id }) => id),
    test: news.test ?? false,
    attempts: [],
    successful_at: null,
    failed_at: null,
  });
  for (const id of event.matched_destination_ids) enqueueDelivery(world, event, id);
}

/**
 * The destinations of an account that receive an event: enabled, in scope, and listening to the topic or chosen
 * directly.
 */
function match({ tables }: Context, news: WebhookNews, owner: string): readonly WebhookRow[] {
  const { destination, topic } = news;
  const connect = owner !== news.owner;
  return rowsOf(tables.webhooks, { owner })
    .filter((row) => row.enabled && row.connect === connect)
    .filter((row) => (destination ? row.id === destination.id : matchesTopic(row.topics, topic)));
}
