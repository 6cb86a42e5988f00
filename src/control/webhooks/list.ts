import { given } from '../../domain/fields.ts';
import { newestFirst } from '../../resources/paging.ts';
import type { components } from '../../spec/control.d.ts';
import { destinationId } from '../../store/ids.ts';
import { foundInRows } from '../../store/query/found.ts';
import type { DeliveryRow } from '../../store/records.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { rowsInScope, visibleRow } from '../scope.ts';
import { presentDeliveryDetails, presentDeliverySummary } from './present.ts';

export const listDeliveries: ControlHandler<'listDeliveries'> = ({ query }, context) => {
  const { world } = context;
  const { delivery_id: id } = query;
  if (id !== undefined) visibleRow(context, world.tables.deliveries, id);
  const present = (row: DeliveryRow) => ({
    ...presentDeliverySummary(world, row),
    ...(id !== undefined && { details: presentDeliveryDetails(context, row) }),
  });
  return {
    status: 200,
    body: newestFirst(foundInRows(findDeliveries(context, query)), query, present),
  };
};

/** The deliveries that a call sees and that fit: all that is given agrees. The oldest comes first. */
export function findDeliveries(
  context: ControlContext,
  filter: Omit<components['schemas']['ReplayRequest'], 'created_gte' | 'created_lte'>,
): readonly DeliveryRow[] {
  const rows = rowsInScope(context, context.world.tables.deliveries);
  const { delivery_id: id, destination_id: place, event_id, topic, status } = filter;
  const destination_id = place === undefined ? undefined : destinationId(place);
  const wanted: Partial<DeliveryRow> = given({ id, event_id, destination_id, topic, status });
  const names = Object.keys(wanted) as (keyof DeliveryRow)[];
  if (names.length === 0) return rows;
  return rows.filter((row) => names.every((name) => row[name] === wanted[name]));
}
