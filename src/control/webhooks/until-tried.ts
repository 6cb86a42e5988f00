import type { DeliveryRow } from '../../state/records.ts';
import { isPaused } from '../../webhooks/destination-queue.ts';
import type { ControlContext } from '../context.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * Resolves once each of some pending deliveries was tried once more, or will not be: settled, paused or gone; or when
 * the time is up. What falls due meanwhile is not waited for, so that it ends on a clock that runs.
 *
 * @returns the ids of those that were not tried in time
 */
export async function untilTried(
  { world, closing }: ControlContext,
  deliveries: readonly DeliveryRow[],
  timeoutSeconds: number,
): Promise<ReadonlySet<string>> {
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
  await waitUntil({
    timeoutSeconds,
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
  return new Set(left.keys());
}
