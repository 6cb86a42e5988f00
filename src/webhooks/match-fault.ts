import type { FaultRule } from '../faults/rule.ts';
import { faultRulesOf } from '../faults/rules.ts';
import { destinationId } from '../store/ids.ts';
import type { DeliveryFault, DeliveryRow } from '../store/records.ts';
import type { World } from '../store/world.ts';

/** Returns the fault rule that applies an effect to a delivery, or undefined. */
export function matchFault(
  world: World,
  effect: DeliveryFault,
  { topic, destination_id }: Pick<DeliveryRow, 'topic' | 'destination_id'>,
): FaultRule | undefined {
  return faultRulesOf(world).match(
    ({ delivery, match = {} }) =>
      delivery === effect &&
      (match.topic ?? topic) === topic &&
      destinationId(match.destination ?? destination_id) === destination_id,
  )?.rule;
}
