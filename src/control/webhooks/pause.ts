import { violate } from '../../domain/rules.ts';
import type { World } from '../../state/world.ts';
import { EVERY_DESTINATION } from '../../webhooks/destination-queue.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { findDestination } from './destination.ts';

export const pauseDeliveries: ControlHandler<'pauseDeliveries'> = ({ body }, context) => {
  const { world } = context;
  const id = placeOf(context, body?.destination_id);
  world.commit(() => world.tables.delivery_pauses.put({ id, seq: world.nextSeq(), at: world.now }));
  return { status: 200, body: presentPauses(world) };
};

export const resumeDeliveries: ControlHandler<'resumeDeliveries'> = ({ body }, context) => {
  const { world, dispatcher } = context;
  const { delivery_pauses } = world.tables;
  const id = placeOf(context, body?.destination_id);
  const ids = id === EVERY_DESTINATION ? [...delivery_pauses.values()].map((row) => row.id) : [id];
  world.commit(() => {
    for (const each of ids) delivery_pauses.remove(each);
  });
  dispatcher.dispatchDue(world, world.now);
  return { status: 200, body: presentPauses(world) };
};

/** What a pause is about. A connected account holds its own destinations only. */
function placeOf(context: ControlContext, id: string | null | undefined): string {
  if (id != null) return findDestination(context, id).id;
  const isPlatform = context.owner === context.world.accountId;
  return isPlatform ? EVERY_DESTINATION : violate('webhook.unknown', 'destination_id');
}

/** What is held back: all destinations, or those of these ids. */
export function presentPauses({ tables }: World) {
  const ids = [...tables.delivery_pauses.values()].map(({ id }) => id);
  return {
    all: ids.includes(EVERY_DESTINATION),
    destination_ids: ids.filter((id) => id !== EVERY_DESTINATION),
  };
}
