import { type Instant, instant } from '../../domain/instant.ts';
import type { Call } from '../../spec/operations.ts';
import { destinationId } from '../../store/ids.ts';
import { type Condition, select } from '../../store/query.ts';
import type { DeliveryAttempt, WebhookEventRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { parseDigits } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { cursorPage } from '../paging.ts';
import { Malformed } from '../problems.ts';

const DEFAULT_LIMIT = 100;

export const listWebhookEvents: Handler<'listWebhookEvents'> = ({ query }, context) => {
  const { limit = DEFAULT_LIMIT, next, prev } = query;
  if (next !== undefined && prev !== undefined)
    throw new Malformed('next, prev: expected one of them.');
  const before = next === undefined ? undefined : readCursor(context, 'next', next);
  const after = prev === undefined ? undefined : readCursor(context, 'prev', prev);

  const destinations = new Set(query.destination_id?.map(destinationId));
  const { tables, owner } = context;
  const isOfTime = timeFilterOf(query);
  const pageOf = (log: readonly WebhookEventRow[], isWanted: Condition<WebhookEventRow>) => {
    const { rows, oldest, newest } = cursorPage(log, { limit, before, after }, isWanted);
    const pagination = {
      limit,
      next: oldest ? cursorOf(oldest) : null,
      prev: newest ? cursorOf(newest) : null,
    };
    const items = rows.map((event) => presentWebhookEvent(event, destinations));
    return { status: 200 as const, body: { items, pagination } };
  };
  const isOfKind = filterOf(query, destinations);
  const named = `at ${[...destinations].sort()} ${query.status ?? ''}`;
  return select(
    tables.webhook_events,
    { where: { owner }, ...(isOfKind && { fits: [isOfKind], named }) },
    (log) => pageOf(log, isOfTime),
  );
};

/** A cursor contains the id of the event at the edge of a page, so it stays valid while the log grows. */
const cursorOf = ({ event_id }: WebhookEventRow): string =>
  Buffer.from(event_id).toString('base64url');

function readCursor({ tables, owner }: Context, name: string, cursor: string): WebhookEventRow {
  const eventId = Buffer.from(cursor, 'base64url').toString();
  const event = tables.webhook_events.get(key(owner, eventId));
  if (!event || cursorOf(event) !== cursor)
    throw new Malformed(`${name}: expected a cursor from an earlier response.`);
  return event;
}

type Query = Call<'listWebhookEvents'>['query'];

/** The filter by destination and status; undefined if the query has neither. */
function filterOf(
  { status }: Query,
  destinations: ReadonlySet<string>,
): Condition<WebhookEventRow> | undefined {
  if (status === undefined && destinations.size === 0) return undefined;
  return (event) =>
    (destinations.size === 0 || event.matched_destination_ids.some((id) => destinations.has(id))) &&
    (status !== 'Success' || outcomeAt(event, destinations).successful_at !== null) &&
    (status !== 'Failed' || outcomeAt(event, destinations).failed_at !== null);
}

function timeFilterOf({ time_gte, time_lte }: Query): Condition<WebhookEventRow> {
  const from = time_gte === undefined ? undefined : instant(time_gte);
  const to = time_lte === undefined ? undefined : instant(time_lte);
  return ({ created_at }) =>
    (from === undefined || created_at >= from) && (to === undefined || created_at <= to);
}

/** The outcome of an event's deliveries, to all destinations or to the filtered ones. @assumes A-1205 */
function outcomeAt(
  event: WebhookEventRow,
  destinations: ReadonlySet<string>,
): Pick<WebhookEventRow, 'successful_at' | 'failed_at'> {
  const matched = event.matched_destination_ids;
  const meant = matched.filter((id) => destinations.has(id));
  if (meant.length === 0 || meant.length === matched.length) return event;
  const made = event.attempts.filter(({ destination_id }) => destinations.has(destination_id));
  const firsts = meant.map((id) =>
    made.find(({ destination_id, error }) => destination_id === id && error === null),
  );
  if (firsts.every((first) => first !== undefined))
    return { successful_at: latest(firsts), failed_at: null };
  return { successful_at: null, failed_at: latest(made.filter(({ error }) => error !== null)) };
}

function latest(attempts: readonly DeliveryAttempt[]): Instant | null {
  return attempts.reduce<Instant | null>(
    (last, { at }) => (last === null || at > last ? at : last),
    null,
  );
}

export function presentWebhookEvent(
  event: WebhookEventRow,
  destinations: ReadonlySet<string> = new Set(),
) {
  const { topic, attempts } = event;
  const { successful_at, failed_at } = outcomeAt(event, destinations);
  return {
    id: event.event_id,
    matched_destination_ids: [...event.matched_destination_ids],
    topic,
    time: event.created_at,
    data: dataOf(event),
    successful_at,
    failed_at,
    metadata: attempts.length === 0 ? null : { attempts: [...attempts] },
  };
}

/** The data of an event; for a test event with exactly the digits that the caller sent. */
const dataOf = ({ test, data, body }: WebhookEventRow): unknown =>
  test ? (parseDigits(body) as { readonly data: unknown }).data : data;
