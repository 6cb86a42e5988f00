import { instant } from '../../domain/instant.ts';
import type { Call } from '../../spec/operations.ts';
import type { WebhookEventRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { Context, Handler } from '../context.ts';
import { cursorPage } from '../cursor-paging.ts';
import { Malformed } from '../problems.ts';
import { destinationId } from './webhook-lookup.ts';

const DEFAULT_LIMIT = 100;

export const listWebhookEvents: Handler<'listWebhookEvents'> = ({ query }, context) => {
  const { limit = DEFAULT_LIMIT, next, prev } = query;
  if (next !== undefined && prev !== undefined)
    throw new Malformed('next, prev: expected one of them.');
  const before = next === undefined ? undefined : readCursor(context, 'next', next);
  const after = prev === undefined ? undefined : readCursor(context, 'prev', prev);

  const log = context.tables.webhook_events.list('owner', context.owner);
  const { rows, oldest, newest } = cursorPage(log, { limit, before, after }, filterOf(query));
  const pagination = {
    limit,
    next: oldest ? cursorOf(oldest) : null,
    prev: newest ? cursorOf(newest) : null,
  };
  return { status: 200, body: { items: rows.map(presentWebhookEvent), pagination } };
};

/** A cursor names the event at the edge of a page, so that it stays true while the log grows. */
const cursorOf = ({ event_id }: WebhookEventRow): string =>
  Buffer.from(event_id).toString('base64url');

function readCursor({ tables, owner }: Context, name: string, cursor: string): WebhookEventRow {
  const eventId = Buffer.from(cursor, 'base64url').toString();
  const event = tables.webhook_events.get(key(owner, eventId));
  if (!event || cursorOf(event) !== cursor)
    throw new Malformed(`${name}: expected a cursor from an earlier answer.`);
  return event;
}

function filterOf(query: Call<'listWebhookEvents'>['query']): (event: WebhookEventRow) => boolean {
  const { status, time_gte, time_lte } = query;
  const destinations = new Set(query.destination_id?.map(destinationId));
  const from = time_gte === undefined ? undefined : instant(time_gte);
  const to = time_lte === undefined ? undefined : instant(time_lte);
  return (event) =>
    (destinations.size === 0 || event.matched_destination_ids.some((id) => destinations.has(id))) &&
    (status !== 'Success' || event.successful_at !== null) &&
    (status !== 'Failed' || event.failed_at !== null) &&
    (from === undefined || event.created_at >= from) &&
    (to === undefined || event.created_at <= to);
}

function presentWebhookEvent(event: WebhookEventRow) {
  const { topic, data, successful_at, failed_at, attempts } = event;
  return {
    id: event.event_id,
    matched_destination_ids: [...event.matched_destination_ids],
    topic,
    time: event.created_at,
    data,
    successful_at,
    failed_at,
    metadata: attempts.length === 0 ? null : { attempts: [...attempts] },
  };
}
