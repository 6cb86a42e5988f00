import type { MachineTime } from '../../config/machine-time.ts';
import { Clock } from '../../store/clock.ts';
import type { KeptWorld } from '../../store/storage/shared-worlds.ts';
import type { World, WorldImage } from '../../store/world.ts';
import { type ParsedKey, parseKey } from '../../store/worlds.ts';

/** How many records an image holds, by table; tables without any are left out. */
export function countRecords({ tables }: Pick<WorldImage, 'tables'>): Record<string, number> {
  const counts = Object.entries(tables).map(([name, rows]) => [name, rows.length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export function presentWorld(world: World) {
  const { sandbox, environment, now, clock, requests, tables } = world;
  const counts = Object.entries(tables).map(([name, { size }]) => [name, size] as const);
  return {
    sandbox,
    environment,
    now,
    mode: clock.state.mode,
    requests,
    records: Object.fromEntries(counts.filter(([, size]) => size > 0)),
  };
}

/** A world that is kept and not open, as it was last written. */
export function presentKept({ key, clock, requests, records }: KeptWorld, machine: MachineTime) {
  const now = new Clock(machine, clock).now();
  return { ...(parseKey(key) as ParsedKey), now, mode: clock.mode, requests, records };
}
