/**
 * For tests: files share their modules, so that a module cannot say at its head what each file ends with. What is
 * handed to `atFileEnd` runs when the present test file has ended.
 */
const ends: (() => void | Promise<void>)[] = [];

export function atFileEnd(end: () => void | Promise<void>): void {
  ends.push(end);
}

/** @throws AggregateError with whatever failed, once all ends have run */
export async function endFile(): Promise<void> {
  const outcomes = await Promise.allSettled(ends.splice(0).map(async (end) => end()));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failures.length > 0) throw new AggregateError(failures.map(({ reason }) => reason));
}
