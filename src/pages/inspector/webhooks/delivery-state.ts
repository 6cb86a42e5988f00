import { rowsOf } from '../../../store/query/query.ts';
import type { DeliveryRow, WebhookEventRow } from '../../../store/records.ts';
import type { World } from '../../../store/world.ts';

/** The states of a delivery and of a webhook event, from the worst to the best. */
const STATES = ['given up', 'failing', 'pending', 'delivered', 'no destination'] as const;

export type DeliveryState = (typeof STATES)[number];

/** The state of a delivery. It is failing after a failed attempt, and given up after the last. */
export function deliveryState({ status, exchanges }: DeliveryRow): DeliveryState {
  if (status === 'succeeded') return 'delivered';
  if (status === 'failed') return 'given up';
  return exchanges.length > 0 ? 'failing' : 'pending';
}

/** The worst state of a webhook event's deliveries. */
export function eventState({ tables }: World, { id }: WebhookEventRow): DeliveryState {
  const states = new Set(rowsOf(tables.deliveries, { webhook_event: id }).map(deliveryState));
  return STATES.find((state) => states.has(state)) ?? 'no destination';
}

/** Only the latest webhook events are looked at. */
const MAX_EVENTS = 1_000;

/** The webhook events that are not delivered after an attempt, oldest first. */
export const failingEvents = (world: World): readonly WebhookEventRow[] =>
  rowsOf(world.tables.webhook_events)
    .slice(-MAX_EVENTS)
    .filter((row) => ['given up', 'failing'].includes(eventState(world, row)));
