import { settleDue } from './jobs/due.ts';
import { fixturesIn, readFixture } from './seed/read.ts';
import { replay } from './seed/replay.ts';
import type { Stage } from './seed/stage.ts';
import type { Settings } from './state/settings.ts';
import type { World } from './state/world.ts';
import { DEFAULT_SANDBOX } from './state/worlds.ts';

/** Fills worlds with what they open with. */
export class Furnishing {
  #isUnderWay = false;

  constructor(
    private readonly settings: Settings,
    /** What a fixture is played on, at once. */
    private readonly stageOf: (world: World) => Stage,
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
  furnish(world: World): void {
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
      const { scenario } = replay(readFixture(fixture), this.stageOf(world));
      if (scenario.clock === undefined || scenario.then === 'real') world.clock.state = state;
    } finally {
      this.#isUnderWay = false;
    }
    settleDue(world, world.now, this.settings);
  }
}

function isDefault({ sandbox, environment }: World): boolean {
  return sandbox === DEFAULT_SANDBOX && environment === 'test';
}
