import type { AnyBody } from '../../kit/target/own-world.ts';
import { instant } from '../calls.ts';
import { type Hook, type LogEvent, outcomeOf } from '../hooks.ts';
import type { Aspect, Stage } from './aspect.ts';

/** Filters of the webhook log. */
interface Question {
  readonly hooks?: readonly Hook[];
  readonly status?: 'Success' | 'Failed';
  readonly time_gte?: string;
  readonly time_lte?: string;
}

/** Every event of the webhook log with its deliveries, and the log by each filter, paged in both directions. */
export const webhookLog: Aspect = async function* (stage) {
  const { call, world } = stage;
  await call('advanceClock', { body: { to: instant(world.now) } });
  const { items } = await call('listWebhookEvents', { query: { limit: 1000 } });
  const all = [...world.log].reverse();
  yield ['log', items.map(sorted), all.map((event) => wantedEvent(event, stage))];
  for (const [index, question] of questionsOf(stage).entries()) {
    const asked = JSON.stringify({ ...question, hooks: question.hooks?.map((hook) => hook.index) });
    const wanted = all.flatMap((event, place) => {
      const seen = statusOf(event, question.hooks, world.now);
      return isFit(event, seen, question) ? [{ id: items[place]?.id, ...seen }] : [];
    });
    yield [asked, await walk(stage, question, (index % 3) + 1), wanted];
  }
};

/** An item with sorted destinations and attempts, because their order is not specified. */
const sorted = ({ matched_destination_ids: matched, metadata, ...item }: AnyBody) => ({
  ...item,
  matched: [...matched].sort(),
  attempts: (metadata?.attempts ?? [])
    .map((each: AnyBody) => `${each.at} ${each.destination_id}`)
    .sort(),
});

function wantedEvent(event: LogEvent, { ids, world, connected }: Stage): object {
  const { at, topic, matched, isConnected } = event;
  const { customers, subscriptions } = (isConnected && connected?.ids) || ids;
  const { customer, subscription, ...data } = event.data as AnyBody;
  const activation = {
    customer_id: customers[customer],
    subscription_id: subscriptions[subscription],
    occurred_at: instant(at),
  };
  const idOf = (hook: Hook) => ids.hooks[hook.index] as string;
  const attempts = matched.flatMap((hook) =>
    outcomeOf(event, hook, world.now).attempts.map((each) => `${instant(each)} ${idOf(hook)}`),
  );
  return {
    ...{ topic, time: instant(at), ...statusOf(event, undefined, world.now) },
    data: customer === undefined ? data : activation,
    matched: matched.map(idOf).sort(),
    attempts: attempts.sort(),
  };
}

/** The expected result of an event's deliveries, to all or to some destinations. */
function statusOf(event: LogEvent, hooks: readonly Hook[] | undefined, now: number) {
  const asked = event.matched.filter((hook) => hooks?.includes(hook) ?? true);
  const outcomes = asked.map((hook) => outcomeOf(event, hook, now));
  const failures = outcomes.flatMap(({ failedAt }) => failedAt ?? []);
  const isDone = outcomes.length > 0 && failures.length === 0;
  const successes = outcomes.flatMap(({ succeededAt }) => succeededAt ?? []);
  return {
    successful_at: isDone ? instant(Math.max(...successes)) : null,
    failed_at: failures.length > 0 ? instant(Math.max(...failures)) : null,
  };
}

function isFit(event: LogEvent, seen: ReturnType<typeof statusOf>, question: Question): boolean {
  const { hooks, status, time_gte = '', time_lte = '~' } = question;
  const time = instant(event.at);
  if (hooks && !event.matched.some((hook) => hooks.includes(hook))) return false;
  if (status === 'Success' && seen.successful_at === null) return false;
  if (status === 'Failed' && seen.failed_at === null) return false;
  return time_gte <= time && time <= time_lte;
}

/** Each status for all, each and the first two destinations, some with a time bound at or next to an event. */
function questionsOf({ world: { hooks, log } }: Stage): Question[] {
  const times = log.flatMap(({ at }) => [at - 1, at, at + 1]).map(instant);
  const groups = [undefined, ...hooks.map((hook) => [hook]), hooks.slice(0, 2)];
  const statuses = [undefined, 'Success', 'Failed'] as const;
  return groups.flatMap((group, row) =>
    statuses.map((status, column) => {
      const [turn, time] = [row * 3 + column, times[(row * 7 + column * 5) % times.length]];
      return {
        ...(group && group.length > 0 && { hooks: group }),
        ...(status && { status }),
        ...(time && turn % 3 === 1 && { time_gte: time }),
        ...(time && turn % 3 === 2 && { time_lte: time }),
      };
    }),
  );
}

/** Reads all items page by page. Also reads each page again from its next page, which must return the same items. */
async function walk({ call, ids }: Stage, question: Question, limit: number): Promise<object[]> {
  const { hooks, ...filters } = question;
  const destination_id = hooks?.map(({ index }) => ids.hooks[index]);
  const query = { ...filters, ...(destination_id && { destination_id }), limit };
  let page = await call('listWebhookEvents', { query });
  const items = [...page.items];
  while (page.pagination.next) {
    const next = await call('listWebhookEvents', {
      query: { ...query, next: page.pagination.next },
    });
    const back = await call('listWebhookEvents', {
      query: { ...query, prev: next.pagination.prev },
    });
    items.push(...next.items);
    if (JSON.stringify(back.items) !== JSON.stringify(page.items)) return [{ back, page }];
    page = next;
  }
  return items;
}
