import type { Settings } from './config/settings.ts';
import { runDueJobs } from './jobs/due.ts';
import { fixturesIn, readFixture } from './scenarios/read.ts';
import { applyFixture } from './scenarios/run-fixture.ts';
import type { ScenarioTarget } from './scenarios/scenario-target.ts';
import type { World } from './state/world.ts';
import { DEFAULT_SANDBOX } from './state/worlds.ts';

/** Fills worlds with what they open with. */
export class WorldSeeder {
  #isUnderWay = false;

  constructor(
    private readonly settings: Settings,
    /** What a fixture is played on, at once. */
    private readonly targetOf: (world: World) => ScenarioTarget,
  ) {}

  /** Whether a fixture is being played into a world at this moment. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** The fixture that a world's key opens with; empty for none. */
  presetFixture(world: World): string {
    return isDefault(world) ? this.settings.fixture : this.settings.sandbox_fixture;
  }

  /** Fills a world with all that its key opens with. @throws FixtureError */
  seed(world: World): void {
    const fixture = this.presetFixture(world);
    if (fixture !== '') this.fill(world, fixture);
    if (isDefault(world)) for (const file of fixturesIn(this.settings.init)) this.fill(world, file);
  }

  /**
   * Fills a world from a fixture, and does what fell due until the moment that its clock shows then.
   *
   * @throws FixtureError
   * @assumes A-1303
   */
  fill(world: World, fixture: string): void {
    const { state } = world.clock;
    this.#isUnderWay = true;
    try {
      const { scenario } = applyFixture(readFixture(fixture), this.targetOf(world));
      if (scenario.clock === undefined || scenario.then === 'real') world.clock.state = state;
    } finally {
      this.#isUnderWay = false;
    }
    runDueJobs(world, world.now, this.settings);
  }
}

function isDefault({ sandbox, environment }: World): boolean {
  return sandbox === DEFAULT_SANDBOX && environment === 'test';
}
