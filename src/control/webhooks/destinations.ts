import { after } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import { destinationId } from '../../store/ids.ts';
import type { RetiredSecret, WebhookRow } from '../../store/records.ts';
import { EVERY_DESTINATION } from '../../webhooks/destination-queue.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { isVisible } from '../scope.ts';

export const pauseDeliveries: ControlHandler<'pauseDeliveries'> = ({ body }, context) => {
  const { world, dispatcher } = context;
  const { delivery_pauses } = world.tables;
  const { destination_id, paused = true } = body ?? {};
  const id = placeOf(context, destination_id);
  const ended =
    id === EVERY_DESTINATION ? [...delivery_pauses.values()].map((row) => row.id) : [id];
  world.commit(() => {
    if (paused) delivery_pauses.put({ id, seq: world.nextSeq(), at: world.now });
    else for (const each of ended) delivery_pauses.remove(each);
  });
  if (!paused) dispatcher.dispatchDue(world, world.now);
  return { status: 200, body: presentPauses(context) };
};

/** What a pause is about. A connected account holds its own destinations only. */
function placeOf(context: ControlContext, id: string | null | undefined): string {
  if (id != null) return findDestination(context, id).id;
  const isPlatform = context.owner === context.world.accountId;
  return isPlatform ? EVERY_DESTINATION : violate('webhook.unknown', 'destination_id');
}

/** What of a call's own is held back: all destinations, or those of these ids. */
export function presentPauses(context: ControlContext) {
  const { delivery_pauses, webhooks } = context.world.tables;
  const ids = [...delivery_pauses.values()].map(({ id }) => id);
  const isOwn = (id: string) => {
    const destination = webhooks.get(id);
    return destination !== undefined && isVisible(context, destination);
  };
  return { all: ids.includes(EVERY_DESTINATION), destination_ids: ids.filter(isOwn) };
}

/** How long a secret signs on after it was replaced. @assumes A-1208 */
const OVERLAP = 'PT24H';

/** How many replaced secrets are remembered at all. */
const MAX_RETIRED = 8;

export const rotateSecret: ControlHandler<'rotateSecret'> = ({ body }, context) => {
  const { world } = context;
  const { now } = world;
  const destination = findDestination(context, body.destination_id);
  const replaced = { secret: destination.secret, until: after(now, OVERLAP) };
  const retired_secrets = [replaced, ...(destination.retired_secrets ?? [])].slice(0, MAX_RETIRED);
  const { id, secret } = world.commit(() =>
    world.tables.webhooks.put({
      ...destination,
      secret: `whsec_${world.nextToken('webhook secret', destination.owner)}`,
      retired_secrets,
      updated_at: now,
    }),
  );
  const previous_secrets = retired_secrets.filter(({ until }) => until > now).map(presentSecret);
  return { status: 200, body: { destination_id: id, secret, previous_secrets } };
};

const presentSecret = ({ secret, until }: RetiredSecret) => ({ secret, valid_until: until });

/** @throws RuleViolation where the call sees no such destination */
function findDestination(context: ControlContext, id: string): WebhookRow {
  const destination = context.world.tables.webhooks.get(destinationId(id));
  return destination && isVisible(context, destination)
    ? destination
    : violate('webhook.unknown', 'destination_id');
}
