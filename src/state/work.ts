/** Long work that may be left and gone on with wherever it yields. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Does work to its end within this call. */
export function atOnce<T>(work: Work<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
