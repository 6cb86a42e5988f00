/**
 * For tests: files share their modules, so a module cannot register an end for each file at its head. The
 * functions given to `atFileEnd` run when the current test file ends.
 */
const ends: (() => void | Promise<void>)[] = [];

export function atFileEnd(end: () => void | Promise<void>): void {
  ends.push(end);
}

/** @throws AggregateError with all failures, after all ends have run */
export async function endFile(): Promise<void> {
  const outcomes = await Promise.allSettled(ends.splice(0).map(async (end) => end()));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failures.length > 0) throw new AggregateError(failures.map(({ reason }) => reason));
}
