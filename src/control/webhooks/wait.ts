import { isDeepStrictEqual } from 'node:util';
import { destinationId } from '../../resources/webhooks/webhook-lookup.ts';
import type { DeliveryRow } from '../../state/records.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { findDeliveries } from './list.ts';
import { presentSummary } from './present.ts';

type Wanted = NonNullable<ControlCall<'waitForDelivery'>['body']>;

const PRESET_SECONDS = 10;
const MOST_CANDIDATES = 5;

export const waitForDelivery: ControlHandler<'waitForDelivery'> = async (
  { body = {} },
  context,
) => {
  const { world } = context;
  const { count = 1, timeout_seconds = PRESET_SECONDS } = body;
  const found = await untilEnough(context, body, timeout_seconds * 1000);
  if (found.length < count) return { status: 408, body: explainMiss(context, body, found.length) };
  const items = found.map((row) => presentSummary(world, row));
  return { status: 200, body: { items, total_count: items.length } };
};

/** The deliveries that fit, as soon as there are enough or the time is up. */
function untilEnough(
  context: ControlContext,
  wanted: Wanted,
  waitMs: number,
): Promise<readonly DeliveryRow[]> {
  const { world, closing } = context;
  const enough = wanted.count ?? 1;
  const find = () => findFitting(context, wanted);
  const already = find();
  if (already.length >= enough || waitMs === 0 || closing.aborted) return Promise.resolve(already);
  return new Promise((resolve) => {
    const end = (): void => {
      stop();
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      resolve(find());
    };
    const fitting = new Set(already.map(({ id }) => id));
    const stop = world.onCommit((changes) => {
      for (const { table, id, after } of changes) {
        if (table !== 'deliveries') continue;
        const row = after as DeliveryRow | undefined;
        const fits = row && isVisible(context, row) && missesOf(context, wanted, row).length === 0;
        if (fits) fitting.add(id);
        else fitting.delete(id);
      }
      if (fitting.size >= enough) end();
    });
    const timer = setTimeout(end, waitMs).unref();
    closing.addEventListener('abort', end);
  });
}

function findFitting(context: ControlContext, wanted: Wanted): readonly DeliveryRow[] {
  return findDeliveries(context, wanted).filter(
    (row) => missesOf(context, wanted, row).length === 0,
  );
}

function isVisible({ owner, world }: ControlContext, row: DeliveryRow): boolean {
  return owner === world.accountId || row.owner === owner;
}

/** What keeps a delivery from fitting, in words. */
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
  if (wanted.status === undefined && exchanges.length === 0) misses.push('it was not tried yet');
  if (wanted.data) {
    const data = world.tables.webhook_events.get(webhook_event)?.data ?? {};
    for (const [name, value] of Object.entries(wanted.data))
      compare(`data.${name}`, data[name], value);
  }
  return misses;
}

function explainMiss(context: ControlContext, wanted: Wanted, found: number) {
  const { count = 1, timeout_seconds = PRESET_SECONDS } = wanted;
  return {
    type: '/problems/nothing-came',
    title: 'What was waited for did not come.',
    status: 408,
    detail:
      `${found} of ${count} deliveries fitted within ${timeout_seconds} s. ${remarks(context)}`.trim(),
    candidates: nearest(context, wanted),
  };
}

/** The deliveries that miss least; of those the newest first. */
function nearest(context: ControlContext, wanted: Wanted) {
  return findDeliveries(context, {})
    .map((row) => ({ row, misses: missesOf(context, wanted, row) }))
    .sort((left, right) => left.misses.length - right.misses.length || right.row.seq - left.row.seq)
    .slice(0, MOST_CANDIDATES)
    .map(({ row, misses }) => ({ delivery: presentSummary(context.world, row), misses }));
}

/** What most often lies behind a wait in vain. */
function remarks({ world }: ControlContext): string {
  const lines: string[] = [];
  const unmatched = [...world.tables.webhook_events.values()].filter(
    ({ matched_destination_ids }) => matched_destination_ids.length === 0,
  ).length;
  if (unmatched > 0) lines.push(`${unmatched} webhook events matched no destination.`);
  const waiting = [...world.tables.deliveries.values()].filter(
    ({ waits_for }) => waits_for === 'clock',
  ).length;
  if (waiting > 0 && world.clock.state.mode === 'frozen')
    lines.push(`${waiting} deliveries wait for a clock that stands still: advance it, or flush.`);
  return lines.join(' ');
}
