/** How often a race is run, because one round can miss a window of a few milliseconds. */
const ROUNDS = 4;

/** Requests that are in flight at the same time, and what must hold once all have been answered. */
interface Race<Subject, Answer> {
  /** Makes what one round is about: new objects, or a new key. */
  readonly subject: () => Promise<Subject> | Subject;
  /** How often it is run; four times by default. */
  readonly rounds?: number;
  readonly together: (subject: Subject) => readonly Promise<Answer>[];
  readonly holds: (subject: Subject, answers: readonly Answer[]) => Promise<void>;
}

/** Runs a race several times. All requests are answered before it decides or gives up. */
export async function race<Subject, Answer>(given: Race<Subject, Answer>): Promise<void> {
  const { subject: make, rounds = ROUNDS, together, holds } = given;
  for (let round = 1; round <= rounds; round += 1) {
    const subject = await make();
    await holds(subject, await allOf(together(subject)));
  }
}

/** The results of all promises, once none is pending any more, unlike `Promise.all`. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
