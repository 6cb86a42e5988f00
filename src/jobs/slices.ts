import { setImmediate as turn } from 'node:timers/promises';
import type { Resumable } from '../state/resumable.ts';

/** How long work goes on before others get their turn. */
const SLICE_MS = 10;

/** Divides long work, so that everything else in the process goes on being served. */
export class Slices {
  #begun = performance.now();

  /** Whether it is time to pause. Asked first, as a pause costs more than most pieces of work. */
  get isOver(): boolean {
    return performance.now() - this.#begun >= SLICE_MS;
  }

  async pause(): Promise<void> {
    await turn();
    this.#begun = performance.now();
  }
}

/** Does work to its end in slices. */
export async function inSlices<T>(work: Resumable<T>): Promise<T> {
  const slices = new Slices();
  let step = work.next();
  while (!step.done) {
    if (slices.isOver) await slices.pause();
    step = work.next();
  }
  return step.value;
}
