import { RuleViolation } from '../../domain/rules.ts';
import type { DeliveryRow } from '../../store/records.ts';
import { isPaused } from '../../webhooks/destination-queue.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { isVisible, missing, rowsInScope } from '../scope.ts';
import { waitUntil } from '../wait-until.ts';
import { findDeliveries } from './deliveries.ts';

export const replayDeliveries: ControlHandler<'replayDeliveries'> = ({ body }, context) => {
  const { world, dispatcher } = context;
  const rows = findDeliveries(context, body);
  if (rows.length === 0) requireNamed(context, body);
  const delivery_ids: string[] = [];
  const skipped_ids: string[] = [];
  for (const row of rows) {
    const isEnabled = world.tables.webhooks.get(row.destination_id)?.enabled ?? false;
    const isSent = isEnabled && dispatcher.replay(world, row);
    (isSent ? delivery_ids : skipped_ids).push(row.id);
  }
  return { status: 202, body: { delivery_ids, skipped_ids } };
};

/** @throws RuleViolation for a delivery or an event that is not there */
function requireNamed(
  context: ControlContext,
  { delivery_id, event_id }: ControlCall<'replayDeliveries'>['body'],
): void {
  const { deliveries, webhook_events } = context.world.tables;
  const named = [
    ['delivery_id', delivery_id, rowsInScope(context, deliveries)],
    ['event_id', event_id, rowsInScope(context, webhook_events)],
  ] as const;
  for (const [field, id, rows] of named) {
    if (id === undefined || rows.some((row) => row.id === id)) continue;
    throw new RuleViolation([{ field, message: missing(id, context) }]);
  }
}

/** Longer than one attempt may take, so that receivers that hang show as such. @units seconds */
const FLUSH_SECONDS = 30;

export const flushDeliveries: ControlHandler<'flushDeliveries'> = async ({ query }, context) => {
  const { world, dispatcher } = context;
  const waiting = findDeliveries(context, { status: 'pending' });
  const [paused, sent] = [true, false].map((wanted) =>
    waiting.filter(({ destination_id }) => isPaused(world, destination_id) === wanted),
  ) as [DeliveryRow[], DeliveryRow[]];
  dispatcher.flush(world, (row) => isVisible(context, row));
  const untried = await untilTried(context, sent, query.timeout_seconds ?? FLUSH_SECONDS);
  const tried = sent.filter(({ id }) => !untried.has(id));
  const ended = tried.map(({ id }) => world.tables.deliveries.get(id)?.status);
  const count = (wanted: DeliveryRow['status']) =>
    ended.filter((status) => status === wanted).length;
  return {
    status: 200,
    body: {
      sent: tried.length,
      unfinished: untried.size,
      delivered: count('delivered'),
      failed: count('failed'),
      pending: count('pending'),
      paused: paused.length,
    },
  };
};

/**
 * Resolves once each of some pending deliveries was tried once more, or will not be: settled, paused or gone; or when
 * the time is up. What falls due meanwhile is not waited for, so that it ends on a clock that runs.
 *
 * @returns the ids of those that were not tried in time
 */
async function untilTried(
  { world, closing }: ControlContext,
  deliveries: readonly DeliveryRow[],
  seconds: number,
): Promise<ReadonlySet<string>> {
  const { tables } = world;
  const left = new Map(deliveries.map(({ id, tries }) => [id, tries]));
  const review = (id: string): void => {
    const row = tables.deliveries.get(id);
    const tries = left.get(id);
    const isAhead = row?.status === 'pending' && row.tries === tries;
    if (!isAhead || isPaused(world, row.destination_id)) left.delete(id);
  };
  const reviewAll = () => [...left.keys()].forEach(review);
  reviewAll();
  await waitUntil({
    seconds,
    isDone: () => left.size === 0,
    closing,
    world,
    watch(done) {
      const stops = [
        world.onRestore(() => {
          left.clear();
          done();
        }),
        world.onCommit((changes) => {
          if (changes.some(({ table }) => table === 'webhooks')) reviewAll();
          else for (const { id } of changes) if (left.has(id)) review(id);
          done();
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  });
  return new Set(left.keys());
}
