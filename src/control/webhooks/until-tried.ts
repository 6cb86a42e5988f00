import type { DeliveryRow } from '../../state/records.ts';
import { isPaused } from '../../webhooks/destination-queue.ts';
import type { ControlContext } from '../context.ts';

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
  for (const id of [...left.keys()]) review(id);
  if (left.size === 0 || closing.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      for (const stop of stops) stop();
      closing.removeEventListener('abort', end);
      resolve();
    };
    const stops = [
      world.onRestore(end),
      world.onCommit((changes) => {
        const isPause = changes.some(({ table }) => table === 'delivery_pauses');
        for (const id of isPause ? [...left.keys()] : changes.map(({ id }) => id))
          if (left.has(id)) review(id);
        if (left.size === 0) end();
      }),
    ];
    closing.addEventListener('abort', end);
  });
}
