import { setImmediate as turn } from 'node:timers/promises';

/** Long work that may be left and gone on with wherever it yields. */
export type Resumable<T> = Generator<undefined, T, undefined>;

/** Does work to its end within this call. */
export function runToEnd<T>(work: Resumable<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

interface Created {
  readonly id: string;
  readonly seq: number;
}

/** Puts rows in the order of creation, in which most of them stand anyway; those of one place by id. */
export function* sortByCreation(rows: Created[]): Resumable<void> {
  let last: Created | undefined;
  for (const row of rows) {
    if (last && compareCreated(last, row) > 0) {
      rows.sort(compareCreated);
      return;
    }
    last = row;
    yield;
  }
}

function compareCreated(left: Created, right: Created): number {
  return left.seq - right.seq || (left.id < right.id ? -1 : 1);
}

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

/** Does work to its end in slices: at once where the first one is enough. */
export function inSlices<T>(work: Resumable<T>): T | Promise<T> {
  const slices = new Slices();
  let step = work.next();
  while (!step.done && !slices.isOver) step = work.next();
  return step.done ? step.value : goOn(work, slices);
}

async function goOn<T>(work: Resumable<T>, slices: Slices): Promise<T> {
  for (;;) {
    if (slices.isOver) await slices.pause();
    const step = work.next();
    if (step.done) return step.value;
  }
}

export function isResumable<T extends object>(value: T | Resumable<T>): value is Resumable<T> {
  return 'next' in value;
}
