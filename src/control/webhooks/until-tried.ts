import type { DeliveryRow } from '../../state/records.ts';
import { isPaused } from '../../webhooks/destination-queue.ts';
import type { ControlContext } from '../context.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * Resolves once each of some pending deliveries was tried once more, or will not be: settled, paused or gone.
 * What falls due meanwhile is not waited for, so that it ends on a clock that runs.
 */
export function untilTried(
  { world, closing }: ControlContext,
  deliveries: readonly DeliveryRow[],
): Promise<void> {
  const { tables } = world;
  const left = new Map(deliveries.map(({ id, tries }) => [id, tries]));
  const review = (id: string): void => {
    const row = tables.deliveries.get(id);
    const tries = left.get(id);
    const isAhead = row?.status === 'pending' && row.tries === tries;
    if (!isAhead || isPaused(world, row.destination_id)) left.delete(id);
  };
  const reviewAll = () => [...left.keys()].forEach(review);
  reviewAll();
  return waitUntil({
    isDone: () => left.size === 0,
    closing,
    world,
    watch(done) {
      const stops = [
        world.onRestore(() => {
          left.clear();
          done();
        }),
        world.onCommit((changes) => {
          if (changes.some(({ table }) => table === 'delivery_pauses')) reviewAll();
          else for (const { id } of changes) if (left.has(id)) review(id);
          done();
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  });
}
