/** Long work that may be left and gone on with wherever it yields. */
export type Resumable<T> = Generator<undefined, T, undefined>;

/** Does work to its end within this call. */
export function runToEnd<T>(work: Resumable<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
