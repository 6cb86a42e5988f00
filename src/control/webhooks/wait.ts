import { isDeepStrictEqual } from 'node:util';
import { RuleViolation } from '../../domain/rules.ts';
import { isKnownTopic, knownTopics } from '../../spec/topics.ts';
import { destinationId } from '../../store/ids.ts';
import type { DeliveryRow } from '../../store/records.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { isVisible, rowsInScope } from '../scope.ts';
import { answerOnceThere, PRESET_SECONDS } from '../wait-until.ts';
import { findDeliveries } from './list.ts';
import { presentDeliverySummary } from './present.ts';

type Wanted = NonNullable<ControlCall<'waitForDelivery'>['body']>;

export const waitForDelivery: ControlHandler<'waitForDelivery'> = async (
  { body = {} },
  context,
) => {
  const { world, closing } = context;
  const { topic, count = 1, timeout_seconds: seconds = PRESET_SECONDS } = body;
  if (topic !== undefined && !isKnownTopic(topic)) refuseTopic(topic);
  const judge = (row: DeliveryRow) => missesOf(context, body, row);
  const find = () => findDeliveries(context, body).filter((row) => judge(row).length === 0);
  const fitting = new Set(find().map(({ id }) => id));
  return answerOnceThere({
    ...{ what: 'deliveries', count, seconds, closing, world, find },
    isDone: () => fitting.size >= count,
    watch: (review) =>
      world.onCommit((changes) => {
        for (const { table, id, after } of changes) {
          if (table !== 'deliveries') continue;
          const row = after as DeliveryRow | undefined;
          if (row && isVisible(context, row) && judge(row).length === 0) fitting.add(id);
          else fitting.delete(id);
        }
        review();
      }),
    present: (row) => presentDeliverySummary(world, row),
    others: () => findDeliveries(context, {}).toReversed(),
    differs: judge,
    remarks: () => remarksOn(context),
  });
};

/** Rejects a topic that never fires. @assumes A-1202 */
function refuseTopic(topic: string): never {
  const message = `There is no topic ${topic}.${didYouMean(topic, knownTopics())}`;
  throw new RuleViolation([{ field: 'topic', message }]);
}

function missesOf(
  { world }: ControlContext,
  wanted: Wanted,
  { destination_id, event_id, topic, status, exchanges, webhook_event }: DeliveryRow,
): string[] {
  const misses: string[] = [];
  const compare = (name: string, is: unknown, should: unknown) => {
    if (should !== undefined && !isDeepStrictEqual(is, should))
      misses.push(`${name} is ${JSON.stringify(is) ?? 'absent'}, not ${JSON.stringify(should)}`);
  };
  const place = wanted.destination_id;
  compare('destination_id', destination_id, place && destinationId(place));
  compare('event_id', event_id, wanted.event_id);
  compare('topic', topic, wanted.topic);
  compare('status', status, wanted.status);
  if (wanted.status === undefined && exchanges.length === 0)
    misses.push('it was not attempted yet');
  if (wanted.data) {
    const { data: held } = world.tables.webhook_events.get(webhook_event) ?? {};
    const data = (held ?? {}) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(wanted.data))
      compare(`data.${name}`, data[name], value);
  }
  return misses;
}

/** What most often lies behind a wait in vain. */
function remarksOn(context: ControlContext): string[] {
  const { tables, clock } = context.world;
  const lines: string[] = [];
  const unmatched = rowsInScope(context, tables.webhook_events).filter(
    ({ matched_destination_ids }) => matched_destination_ids.length === 0,
  ).length;
  if (unmatched > 0) lines.push(`${unmatched} webhook events matched no destination.`);
  const waiting = rowsInScope(context, tables.deliveries).filter(
    ({ waits_for }) => waits_for === 'clock',
  ).length;
  if (waiting > 0 && clock.state.mode === 'frozen')
    lines.push(`${waiting} deliveries wait for a frozen clock: advance it, or flush.`);
  return lines;
}
