import { runScenario } from './fixtures/run-scenario.ts';
import { runToEndAwaiting, type ScenarioTarget } from './fixtures/scenario-target.ts';

/** Fills a world with 60 customers and one month of their traffic, the same each time. */
export async function populate(target: ScenarioTarget): Promise<void> {
  const { drawPopulation } = await import('./fixtures/population/population.ts');
  const population = await drawPopulation({ customers: 60, days: 30, seed: 1 });
  await runToEndAwaiting(runScenario(population, target, () => {}));
}
