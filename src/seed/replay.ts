import { play, type StepOutcome } from './play.ts';
import { type Fixture, FixtureError } from './read.ts';
import { nameOf, type Step } from './scenario.ts';
import { playAtOnce, playWaiting, type Stage } from './stage.ts';

/**
 * Fills a world from a fixture, within this call.
 *
 * @throws FixtureError naming the first step that was answered otherwise than it expects
 */
export function replay(fixture: Fixture, stage: Stage): Fixture {
  playAtOnce(
    play(fixture.scenario, stage, (outcome) => {
      if (outcome.problems.length > 0)
        throw new FixtureError(describeOutcome(fixture, outcome).join('\n'));
    }),
  );
  return fixture;
}

/** Plays a fixture to the end, waits for what it causes and answers how each step went. */
export async function rehearse(fixture: Fixture, stage: Stage): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  await playWaiting(play(fixture.scenario, stage, (outcome) => outcomes.push(outcome)));
  return outcomes;
}

/** What went otherwise than a step expects, a line each: file, line, column, step, what. */
export function describeOutcome(
  fixture: Fixture,
  { index, problems }: StepOutcome,
): readonly string[] {
  const name = nameOf(fixture.scenario.steps[index] as Step);
  return fixture.describe(
    problems.map(({ place, message }) => ({
      place,
      message: `step ${index + 1} (${name}): ${message}`,
    })),
  );
}
