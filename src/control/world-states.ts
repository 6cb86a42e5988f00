import type { FaultRule } from '../http/faults/fault-rule.ts';
import { faultRulesOf } from '../http/faults/fault-rules.ts';
import type { WorldClocks } from '../jobs/world-clocks.ts';
import { conflict } from '../resources/problems.ts';
import { type Origin, originOf, setOrigin } from '../state/snapshots.ts';
import type { Environment, World, WorldImage } from '../state/world.ts';
import type { Worlds } from '../state/worlds.ts';

/** What fills worlds from fixtures. */
export interface Furnisher {
  /** The fixture that a world's key opens with; empty for none. */
  presetFixture(world: World): string;
  /** Fills a world with all that its key opens with. */
  furnish(world: World): void;
  /** Fills a world from a fixture. */
  fill(world: World, fixture: string): void;
}

export interface WorldStatesOptions {
  readonly worlds: Worlds;
  readonly clocks: WorldClocks;
  readonly furnishing: Furnisher;
  /** Gives a new world the rules that it lives by. */
  readonly prepare: (world: World) => void;
}

export interface NewSandbox {
  readonly sandbox: string;
  readonly environment: Environment;
  readonly origin: (world: World) => Origin;
  readonly lifetimeMs: number | undefined;
}

/**
 * Replaces what worlds hold: resets, restores, imports, new sandboxes. What comes in its place is made beside
 * the world first, so that a fixture that fails or an image that does not fit changes nothing.
 *
 * @assumes A-1406
 */
export class WorldStates {
  constructor(private readonly options: WorldStatesOptions) {}

  /** The fixture that a world's key opens with; empty for none. */
  presetFixture(world: World): string {
    return this.options.furnishing.presetFixture(world);
  }

  /**
   * Takes a world back to an origin; without one, to what it opened with.
   *
   * @throws FixtureError where it is a fixture that cannot be played
   */
  reset(world: World, origin: Origin = originOf(world)): void {
    this.options.clocks.refuseWhileMoving(world);
    const { image, rules } = this.#build(world, origin);
    world.restore(image);
    faultRulesOf(world).set(rules);
  }

  /** Replaces what a world holds, once it has proved to fit. */
  replace(world: World, image: WorldImage, judge: (draft: World) => void): void {
    this.options.clocks.refuseWhileMoving(world);
    const draft = this.options.worlds.draft(world);
    draft.restore(image);
    judge(draft);
    world.restore(image);
  }

  /**
   * Opens a sandbox that nobody used yet.
   *
   * @throws FixtureError where its origin is a fixture that cannot be played
   */
  create({ sandbox, environment, origin: originFor, lifetimeMs }: NewSandbox): World {
    const { worlds } = this.options;
    if (worlds.isOpen(sandbox)) conflict();
    const draft = worlds.draft({ sandbox, environment });
    const origin = originFor(draft);
    const { image, rules } = this.#build(draft, origin);
    const world = worlds.create({ sandbox, environment }, image, lifetimeMs);
    setOrigin(world, origin);
    faultRulesOf(world).set(rules);
    return world;
  }

  /** Closes a sandbox; whether there was one. */
  remove(sandbox: string): boolean {
    const { worlds, clocks } = this.options;
    for (const world of worlds.values())
      if (world.sandbox === sandbox) clocks.refuseWhileMoving(world);
    return worlds.close(sandbox);
  }

  /** What a world holds at an origin, and the fault rules that a fixture gives it. */
  #build(
    world: Pick<World, 'sandbox' | 'environment'>,
    origin: Origin,
  ): { readonly image: WorldImage; readonly rules: readonly FaultRule[] } {
    if (origin.kind === 'image') return { image: origin.image, rules: [] };
    const { worlds, prepare, furnishing } = this.options;
    const draft = worlds.draft(world);
    prepare(draft);
    if (origin.kind === 'preset') furnishing.furnish(draft);
    if (origin.kind === 'fixture') furnishing.fill(draft, origin.name);
    const rules = faultRulesOf(draft)
      .list()
      .map(({ rule }) => rule);
    return { image: draft.image(), rules };
  }
}
