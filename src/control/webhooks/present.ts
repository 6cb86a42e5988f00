import { headerNames } from '../../spec/header-names.ts';
import type { DeliveryExchange, DeliveryRow } from '../../store/records.ts';
import type { World } from '../../store/world.ts';
import { dispatchTime, prepareRequest } from '../../webhooks/attempt.ts';
import { isPaused } from '../../webhooks/destination-queue.ts';
import type { ControlContext } from '../context.ts';

/** The state of a delivery, without its requests and responses. */
export function presentDeliverySummary(world: World, delivery: DeliveryRow) {
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
export function presentDeliveryDetails(context: ControlContext, delivery: DeliveryRow) {
  const { world } = context;
  const body = world.tables.webhook_events.get(delivery.webhook_event)?.body ?? '';
  return {
    body,
    exchanges: delivery.exchanges.map((exchange) => presentExchange(exchange, body)),
    curl: curlOf(context, delivery),
  };
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

/** The request as a shell line, signed anew, as receivers refuse an old signature. */
function curlOf({ world, settings }: ControlContext, delivery: DeliveryRow): string | null {
  const { webhooks, webhook_events } = world.tables;
  const destination = webhooks.get(delivery.destination_id);
  const event = webhook_events.get(delivery.webhook_event);
  if (!destination || !event) return null;
  const { signature } = headerNames(settings.service_name);
  const { service_name: serviceName } = settings;
  const dispatched_at = dispatchTime(world, false);
  const parts = { event, destination, rules: [], serviceName, now: world.now, dispatched_at };
  const { url, headers, body } = prepareRequest(parts);
  const lines = ['Content-Type', signature].map(
    (name) => `-H ${quote(`${name}: ${headers[name]}`)}`,
  );
  return `curl -i -X POST ${quote(url)} ${lines.join(' ')} --data-binary ${quote(body)}`;
}

/** A text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
