import type { DisturbanceRow } from '../state/records.ts';
import type { World } from '../state/world.ts';

export interface DisturbanceTarget {
  readonly owner: string;
  readonly topic: string;
  readonly destinationId: string;
}

/** The rules that fit a delivery and have something left to do: of each kind the oldest. */
export function findDisturbances(
  { tables }: World,
  { owner, topic, destinationId }: DisturbanceTarget,
): readonly DisturbanceRow[] {
  const live = tables.disturbances.list('live', owner);
  if (live.length === 0) return live;
  const fitting = live.filter(
    (rule) =>
      (rule.destination_id ?? destinationId) === destinationId && (rule.topic ?? topic) === topic,
  );
  return fitting.filter(({ kind }, place) => fitting.findIndex((r) => r.kind === kind) === place);
}

/** Uses a rule up by one. */
export function takeDisturbance({ tables }: World, { id }: DisturbanceRow): void {
  const rule = tables.disturbances.get(id);
  if (rule && rule.remaining > 0)
    tables.disturbances.put({ ...rule, remaining: rule.remaining - 1 });
}
