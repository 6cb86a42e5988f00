import { setImmediate as turn } from 'node:timers/promises';
import type { Row } from './row.ts';

/** Long work that can be interrupted wherever it yields. */
export type TimeSliced<T> = Generator<undefined, T, undefined>;

export function runToCompletion<T>(work: TimeSliced<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/**
 * Rows in the order of creation, then by id. A list that is sorted already, as most are, is returned as it is: for a new
 * one, the garbage collector would have to visit all its rows in one pause.
 */
export function* inOrderOfCreation<R extends Row>(
  rows: Iterable<R> | readonly R[],
): TimeSliced<readonly R[]> {
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

const compareCreated = (left: Row, right: Row): number =>
  left.seq - right.seq || (left.id < right.id ? -1 : 1);

/** How long work runs before it yields to others. */
const SLICE_MS = 10;

/** Divides long work into slices, so that other requests are served in between. */
export class Slices {
  #begun = performance.now();

  /** Whether it is time to pause, to be checked before each pause, as pausing costs more than most steps. */
  get isOver(): boolean {
    return performance.now() - this.#begun >= SLICE_MS;
  }

  async pause(): Promise<void> {
    await turn();
    this.#begun = performance.now();
  }
}

/** How many steps run between two looks at the clock, as reading it costs more than most steps. */
const STEPS = 32;

let mayPause = true;

/** Runs work in which nothing pauses: sliced work within it runs to its end, for callers that cannot wait. */
export function withoutPauses<T>(work: () => T): T {
  const before = mayPause;
  mayPause = false;
  try {
    return work();
  } finally {
    mayPause = before;
  }
}

/** Runs work in slices; synchronously if the first one is enough. */
export function runTimeSliced<T>(work: TimeSliced<T>): T | Promise<T> {
  if (!mayPause) return runToCompletion(work);
  const slices = new Slices();
  const step = oneSlice(work, slices);
  return step.done ? step.value : goOn(work, slices);
}

async function goOn<T>(work: TimeSliced<T>, slices: Slices): Promise<T> {
  for (;;) {
    await slices.pause();
    const step = oneSlice(work, slices);
    if (step.done) return step.value;
  }
}

function oneSlice<T>(work: TimeSliced<T>, slices: Slices): IteratorResult<undefined, T> {
  for (let count = 1; ; count += 1) {
    const step = work.next();
    if (step.done || (count % STEPS === 0 && slices.isOver)) return step;
  }
}
