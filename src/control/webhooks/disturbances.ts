import { violate } from '../../domain/rules.ts';
import { newestFirst } from '../../resources/paging.ts';
import { notFound } from '../../resources/problems.ts';
import type { DisturbanceRow } from '../../state/records.ts';
import type { ControlHandler } from '../context.ts';
import { rowsInScope } from '../scope.ts';
import { findDestination } from './destination.ts';

export const createDisturbance: ControlHandler<'createDisturbance'> = ({ body }, context) => {
  const { world } = context;
  const { kind, count = 1, topic, seconds } = body;
  const isTimed = kind === 'delay' || kind === 'stale_timestamp';
  if (seconds != null && !isTimed) violate('disturbance.seconds', 'seconds');
  const destination =
    body.destination_id == null ? undefined : findDestination(context, body.destination_id);
  const owner = destination?.owner ?? context.owner;
  const rule = world.commit(() =>
    world.tables.disturbances.put({
      id: world.nextId('disturbance', owner),
      seq: world.nextSeq(),
      owner,
      created_at: world.now,
      kind,
      count,
      remaining: count,
      ...(destination && { destination_id: destination.id }),
      ...(topic != null && { topic }),
      ...(seconds != null && { seconds }),
    }),
  );
  return { status: 201, body: present(rule) };
};

export const listDisturbances: ControlHandler<'listDisturbances'> = ({ query }, context) => {
  const rows = rowsInScope(context, context.world.tables.disturbances);
  return { status: 200, body: newestFirst(rows, query, present) };
};

export const clearDisturbances: ControlHandler<'clearDisturbances'> = (_call, context) => {
  const { world, dispatcher } = context;
  const rows = [...rowsInScope(context, world.tables.disturbances)];
  world.commit(() => {
    for (const { id } of rows) world.tables.disturbances.remove(id);
  });
  dispatcher.releaseHeld(world);
  return { status: 204 };
};

export const deleteDisturbance: ControlHandler<'deleteDisturbance'> = ({ path }, context) => {
  const { world } = context;
  const rows = rowsInScope(context, world.tables.disturbances);
  const { id } = rows.find((row) => row.id === path.disturbanceId) ?? notFound();
  world.commit(() => world.tables.disturbances.remove(id));
  return { status: 204 };
};

function present({ id, owner, created_at, kind, count, remaining, ...rest }: DisturbanceRow) {
  const { destination_id, topic, seconds } = rest;
  return {
    id,
    owner,
    kind,
    count,
    remaining,
    ...(destination_id !== undefined && { destination_id }),
    ...(topic !== undefined && { topic }),
    ...(seconds !== undefined && { seconds }),
    created_at,
  };
}
