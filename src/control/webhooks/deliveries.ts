import { isDeepStrictEqual } from 'node:util';
import { omitNullish } from '../../domain/fields.ts';
import { throwIfInvalid } from '../../domain/rules.ts';
import { newestFirst } from '../../resources/paging.ts';
import type { components } from '../../spec/control.d.ts';
import { validateTopic } from '../../spec/topics.ts';
import { destinationId } from '../../store/ids.ts';
import { listed } from '../../store/query.ts';
import type { DeliveryExchange, DeliveryRow } from '../../store/records.ts';
import type { World } from '../../store/world.ts';
import { plural } from '../../text/wording.ts';
import { isPaused } from '../../webhooks/destination-queue.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { isVisible, nothingNamed, rowsInScope } from '../scope.ts';
import { answerOnceThere, PRESET_SECONDS } from '../wait-until.ts';

export const listDeliveries: ControlHandler<'listDeliveries'> = ({ query }, context) => {
  const { world } = context;
  const { delivery_id: id } = query;
  const named = world.tables.deliveries.get(id ?? '');
  if (id !== undefined && !(named && isVisible(context, named))) nothingNamed(id, context);
  const present = (row: DeliveryRow) => ({
    ...presentDeliverySummary(world, row),
    ...(id !== undefined && { details: presentDeliveryDetails(world, row) }),
  });
  return {
    status: 200,
    body: newestFirst(listed(findDeliveries(context, query)), query, present),
  };
};

/** The deliveries that a call sees and that fit: all that is given agrees. The oldest comes first. */
export function findDeliveries(
  context: ControlContext,
  filter: components['schemas']['ReplayRequest'],
): readonly DeliveryRow[] {
  const rows = rowsInScope(context, context.world.tables.deliveries);
  const { delivery_id: id, destination_id: place, event_id, topic, status } = filter;
  const destination_id = place === undefined ? undefined : destinationId(place);
  const wanted: Partial<DeliveryRow> = omitNullish({ id, event_id, destination_id, topic, status });
  const names = Object.keys(wanted) as (keyof DeliveryRow)[];
  if (names.length === 0) return rows;
  return rows.filter((row) => names.every((name) => row[name] === wanted[name]));
}

/** The state of a delivery, without its requests and responses. */
function presentDeliverySummary(world: World, delivery: DeliveryRow) {
  const { exchanges, waits_for } = delivery;
  const last = exchanges.at(-1);
  const faults = exchanges.flatMap((exchange) => exchange.faults);
  return {
    id: delivery.id,
    owner: delivery.owner,
    event_id: delivery.event_id,
    topic: delivery.topic,
    destination_id: delivery.destination_id,
    url: world.tables.webhooks.get(delivery.destination_id)?.url ?? null,
    status: delivery.status,
    paused: waits_for !== undefined && isPaused(world, delivery.destination_id),
    created_at: delivery.created_at,
    attempt_count: exchanges.length,
    last_attempt_at: last?.at ?? null,
    last_status_code: last?.status_code ?? null,
    last_error: last?.error ?? null,
    next_attempt_at: delivery.next_attempt_at,
    waits_for: waits_for ?? null,
    faults: [...delivery.faults, ...faults],
  };
}

/** The requests and responses of a delivery, with every byte. */
function presentDeliveryDetails({ tables }: World, delivery: DeliveryRow) {
  const body = tables.webhook_events.get(delivery.webhook_event)?.body ?? '';
  return { body, exchanges: delivery.exchanges.map((exchange) => presentExchange(exchange, body)) };
}

function presentExchange({ destination_id: _, request, ...rest }: DeliveryExchange, body: string) {
  const { faults, response } = rest;
  return {
    ...rest,
    faults: [...faults],
    request: request && { ...request, body },
    response,
  };
}

type Wanted = NonNullable<ControlCall<'waitForDelivery'>['body']>;

export const waitForDelivery: ControlHandler<'waitForDelivery'> = async (
  { body = {} },
  context,
) => {
  const { world, closing } = context;
  const { topic, count = 1, timeout_seconds: seconds = PRESET_SECONDS } = body;
  throwIfInvalid(validateTopic(topic, 'topic'));
  const differences = (row: DeliveryRow) => differencesOf(context, body, row);
  const find = () => findDeliveries(context, body).filter((row) => differences(row).length === 0);
  const fitting = new Set(find().map(({ id }) => id));
  return answerOnceThere({
    what: 'deliveries',
    count,
    seconds,
    closing,
    world,
    find,
    isDone: () => fitting.size >= count,
    watch: (review) =>
      world.onCommit((changes) => {
        for (const { table, id, after } of changes) {
          if (table !== 'deliveries') continue;
          const row = after as DeliveryRow | undefined;
          if (row && isVisible(context, row) && differences(row).length === 0) fitting.add(id);
          else fitting.delete(id);
        }
        review();
      }),
    present: (row) => presentDeliverySummary(world, row),
    others: () => findDeliveries(context, {}).toReversed(),
    differs: differences,
    remarks: () => remarksOn(context),
  });
};

function differencesOf(
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

/** The usual reasons of a wait that times out. */
function remarksOn(context: ControlContext): string[] {
  const { tables, clock } = context.world;
  const lines: string[] = [];
  const unmatched = rowsInScope(context, tables.webhook_events).filter(
    ({ matched_destination_ids }) => matched_destination_ids.length === 0,
  ).length;
  if (unmatched > 0) lines.push(`${plural(unmatched, 'webhook event')} matched no destination.`);
  const waiting = rowsInScope(context, tables.deliveries).filter(
    ({ waits_for }) => waits_for === 'clock',
  ).length;
  if (waiting > 0 && clock.state.mode === 'frozen')
    lines.push(
      `Waiting for a frozen clock: ${plural(waiting, 'delivery', 'deliveries')}. Advance it, or flush.`,
    );
  return lines;
}
