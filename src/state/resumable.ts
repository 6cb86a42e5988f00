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

/**
 * Rows in the order of creation, those of one place by id. A list that has it, as most have, is answered as it is: another
 * would have the collector look at each of its rows in one pause.
 */
export function* inOrderOfCreation<R extends Created>(
  rows: Iterable<R> | readonly R[],
): Resumable<readonly R[]> {
  const isList = Array.isArray(rows);
  const found: R[] = isList ? rows : [];
  let isSorted = true;
  let last: R | undefined;
  for (const row of rows) {
    isSorted &&= last === undefined || compareCreated(last, row) < 0;
    last = row;
    if (!isList) found.push(row);
    yield;
  }
  return isSorted ? found : [...found].sort(compareCreated);
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

/** So many steps are done between two looks at the clock, as one costs more than most steps. */
const STEPS = 32;

/** Does work to its end in slices: at once where the first one is enough. */
export function inSlices<T>(work: Resumable<T>): T | Promise<T> {
  const slices = new Slices();
  const step = oneSlice(work, slices);
  return step.done ? step.value : goOn(work, slices);
}

async function goOn<T>(work: Resumable<T>, slices: Slices): Promise<T> {
  for (;;) {
    await slices.pause();
    const step = oneSlice(work, slices);
    if (step.done) return step.value;
  }
}

function oneSlice<T>(work: Resumable<T>, slices: Slices): IteratorResult<undefined, T> {
  for (let count = 1; ; count += 1) {
    const step = work.next();
    if (step.done || (count % STEPS === 0 && slices.isOver)) return step;
  }
}

export function isResumable<T extends object>(value: T | Resumable<T>): value is Resumable<T> {
  return 'next' in value;
}
