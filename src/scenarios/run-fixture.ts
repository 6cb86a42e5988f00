import { type Fixture, FixtureError } from './read.ts';
import { runScenario, type StepOutcome } from './run-scenario.ts';
import { nameOfStep, type ScenarioStep } from './scenario.ts';
import { runToEndAwaiting, runToEndNow, type ScenarioTarget } from './scenario-target.ts';

/**
 * Seeds a world from a fixture, synchronously.
 *
 * @throws FixtureError naming the first step that was answered otherwise than it expects
 */
export function applyFixture(fixture: Fixture, target: ScenarioTarget): Fixture {
  runToEndNow(
    runScenario(fixture.scenario, target, (outcome) => {
      if (outcome.problems.length > 0)
        throw new FixtureError(describeOutcome(fixture, outcome).join('\n'));
    }),
  );
  return fixture;
}

/** Runs a fixture, waits for its effects, and returns the outcome of each step. */
export async function runFixture(
  fixture: Fixture,
  target: ScenarioTarget,
): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  await runToEndAwaiting(
    runScenario(fixture.scenario, target, (outcome) => outcomes.push(outcome)),
  );
  return outcomes;
}

/** Formats the problems of a step, one per line: file, line, column, step, problem. */
export function describeOutcome(
  fixture: Fixture,
  { index, problems }: StepOutcome,
): readonly string[] {
  const name = nameOfStep(fixture.scenario.steps[index] as ScenarioStep);
  return fixture.describe(
    problems.map(({ place, message }) => ({
      place,
      message: `step ${index + 1} (${name}): ${message}`,
    })),
  );
}
