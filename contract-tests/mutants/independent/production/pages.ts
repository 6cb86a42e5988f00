import type { Advice, Loose, Mutant } from '../../mutant.ts';
import { remembering } from '../bug.ts';
import { against } from './window.ts';

const EVERYTHING = 1_000_000;
const offsets = remembering<number>();
const deleted = remembering<number>();
const cursorOf = ({ id }: Loose): string => Buffer.from(id).toString('base64url');

/** A page of the whole list by its offset; a cursor contains only the number of items before it. */
const byOffset: Advice = (call, context, run) => {
  const { limit = 100, next, prev, ...filters } = call.query;
  if (prev !== undefined) return run();
  const known = offsets(context);
  const nameOf = (cursor: string) => JSON.stringify([context.owner, filters, cursor]);
  const offset = next === undefined ? 0 : known.get(nameOf(next));
  if (offset === undefined) return run();
  const { items: all } = run({ ...call, query: { ...filters, limit: EVERYTHING } }).body;
  const items: Loose[] = all.slice(offset, offset + limit);
  const last = offset + limit < all.length ? items.at(-1) : undefined;
  if (last) known.set(nameOf(cursorOf(last)), offset + limit);
  const first = offset > 0 ? items[0] : undefined;
  const pagination = {
    limit,
    next: last ? cursorOf(last) : null,
    prev: first ? cursorOf(first) : null,
  };
  return { status: 200, body: { items, pagination } };
};

/** Keeps an event with the outcome of all its deliveries, whatever destination is asked for. */
const byOverallStatus: Advice = (call, _, run) => {
  const { status, destination_id, limit = 100, ...others } = call.query;
  if (status === undefined || destination_id === undefined) return run();
  const overall = run({ ...call, query: { status, limit: EVERYTHING } }).body.items;
  const ids = new Set(overall.map(({ id }: Loose) => id));
  const reply = run({ ...call, query: { ...others, destination_id, limit: EVERYTHING } });
  const found = reply.body.items.filter(({ id }: Loose) => ids.has(id));
  const items = found.slice(0, limit);
  const next = found.length > limit ? cursorOf(items.at(-1)) : null;
  return { ...reply, body: { items, pagination: { ...reply.body.pagination, limit, next } } };
};

/** The items in their order, those of one instant in the opposite order. */
function withTiesTurned(items: readonly Loose[], name: string): Loose[] {
  const instants = new Set(items.map((item) => item[name]));
  return [...instants].flatMap((at) => items.filter((item) => item[name] === at).toReversed());
}

const withoutPeriod = (query: Loose, start: string): Loose =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith(start)));

/** Lists that change between two pages, and filters together. */
export const pageBugs: readonly Mutant[] = [
  against(
    'Testing and log: GET /webhooks/events with cursor pagination',
    'repeats an item on the next page when an event has come meanwhile',
    { listWebhookEvents: byOffset },
  ),
  against(
    'Cursor pagination metadata: prev',
    'goes back to the newest page whatever page came before',
    {
      listWebhookEvents(call, _, run) {
        const { prev, ...query } = call.query;
        const reply = run();
        return prev === undefined ? reply : run({ ...call, query });
      },
    },
  ),
  against(
    'Testing and log: filterable by destination, status and time range',
    'with a destination takes the status of the deliveries to all destinations',
    { listWebhookEvents: byOverallStatus },
  ),
  against(
    'GET /events: ordered by submission date descending; offset paging',
    'orders the events of one batch differently on later pages',
    {
      listEvents(call, _, run) {
        const { limit = 100, offset = 0, ...query } = call.query;
        const reply = run();
        if (offset === 0) return reply;
        const { items: all } = run({ ...call, query: { ...query, limit: EVERYTHING } }).body;
        const items = withTiesTurned(all, 'created_at').slice(offset, offset + limit);
        return { ...reply, body: { ...reply.body, items } };
      },
    },
  ),
  against(
    'GET /tasks: last_updated_from, last_updated_to, created_from, created_to',
    'finds what fits either period if both are given',
    {
      listTasks(call, _, run) {
        const { limit = 100, offset = 0, ...query } = call.query;
        const names = Object.keys(query);
        const isBoth = ['created_', 'last_updated_'].every((start) =>
          names.some((name) => name.startsWith(start)),
        );
        if (!isBoth) return run();
        const all = (asked: Loose): Loose[] =>
          run({ ...call, query: { ...asked, limit: EVERYTHING } }).body.items;
        const ids = new Set(
          ['created_', 'last_updated_'].flatMap((start) =>
            all(withoutPeriod(query, start)).map(({ id }) => id),
          ),
        );
        const neither = withoutPeriod(withoutPeriod(query, 'created_'), 'last_updated_');
        const found = all(neither).filter(({ id }) => ids.has(id));
        const items = found.slice(offset, offset + limit);
        return { status: 200, body: { items, total_count: found.length, limit, offset } };
      },
    },
  ),
  against(
    'Conventions, paged list response: total_count; DELETE /products/{productId}',
    'still counts products that have been deleted',
    {
      listProducts(call, context, run) {
        const reply = run();
        if (call.query.code !== undefined) return reply;
        const total_count = reply.body.total_count + (deleted(context).get(context.owner) ?? 0);
        return { ...reply, body: { ...reply.body, total_count } };
      },
      deleteProduct(call, context, run) {
        const reply = run();
        const isGone = context.tables.products.get(call.path.productId) === undefined;
        const count = deleted(context).get(context.owner) ?? 0;
        deleted(context).set(context.owner, count + (isGone ? 1 : 0));
        return reply;
      },
    },
  ),
];
