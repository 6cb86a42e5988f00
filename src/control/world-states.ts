import type { FaultRule } from '../http/faults/fault-rule.ts';
import { faultRulesOf } from '../http/faults/fault-rules.ts';
import { inSlices } from '../jobs/slices.ts';
import type { WorldClocks } from '../jobs/world-clocks.ts';
import { conflict } from '../resources/problems.ts';
import type { Resumable } from '../state/resumable.ts';
import { type Origin, originOf, setOrigin } from '../state/snapshots.ts';
import type { Environment, World, WorldImage } from '../state/world.ts';
import type { Worlds } from '../state/worlds.ts';

/** What fills worlds from fixtures. */
export interface Seeder {
  /** The fixture that a world's key opens with; empty for none. */
  presetFixture(world: World): string;
  /** Fills a world with all that its key opens with. */
  seed(world: World): void;
  /** Fills a world from a fixture. */
  fill(world: World, fixture: string): void;
}

export interface WorldStatesOptions {
  readonly worlds: Worlds;
  readonly clocks: WorldClocks;
  readonly seeder: Seeder;
  /** Gives a new world the rules that it lives by. */
  readonly prepare: (world: World) => void;
}

export interface NewSandbox {
  readonly sandbox: string;
  readonly environment: Environment;
  /** What it shall hold, made fit for it. */
  readonly origin: (world: World) => Origin | Promise<Origin>;
  readonly lifetimeMs: number | undefined;
}

/** What shall be in a world's place, and the fault rules that a fixture gives it. */
interface Draft {
  readonly world: World;
  readonly rules: readonly FaultRule[];
}

/**
 * Replaces what worlds hold: resets, restores, imports, new sandboxes. What comes in its place is made beside
 * the world first, so that a fixture that fails or an image that does not fit changes nothing; images in
 * slices, so that other worlds go on being served.
 *
 * @assumes A-1406
 */
export class WorldStates {
  constructor(private readonly options: WorldStatesOptions) {}

  /** The fixture that a world's key opens with; empty for none. */
  presetFixture(world: World): string {
    return this.options.seeder.presetFixture(world);
  }

  /**
   * Takes a world back to an origin; without one, to what it opened with.
   *
   * @throws FixtureError where it is a fixture that cannot be played
   */
  async reset(world: World, origin: Origin = originOf(world)): Promise<void> {
    this.options.clocks.refuseWhileMoving(world);
    this.#put(world, await this.#build(world, origin));
  }

  /** Replaces what a world holds, once it has proved to fit. */
  async replace(
    world: World,
    image: WorldImage,
    judge: (draft: World) => Resumable<void>,
  ): Promise<void> {
    this.options.clocks.refuseWhileMoving(world);
    const draft = await this.#build(world, { kind: 'image', image });
    await inSlices(judge(draft.world));
    this.#put(world, draft);
  }

  /**
   * Opens a sandbox that nobody used yet.
   *
   * @throws FixtureError where its origin is a fixture that cannot be played
   */
  async create({ sandbox, environment, origin: originFor, lifetimeMs }: NewSandbox): Promise<void> {
    const { worlds } = this.options;
    if (worlds.isOpen(sandbox)) conflict();
    const origin = await originFor(worlds.draft({ sandbox, environment }));
    const { world: draft, rules } = await this.#build({ sandbox, environment }, origin);
    if (worlds.isOpen(sandbox)) conflict();
    const made = lifetimeMs === undefined ? {} : { lifetime_ms: lifetimeMs };
    const world = worlds.create({ sandbox, environment }, draft, made);
    setOrigin(world, origin);
    faultRulesOf(world).set(rules);
  }

  /** Closes a sandbox; whether there was one. */
  remove(sandbox: string): boolean {
    const { worlds, clocks } = this.options;
    for (const world of worlds.values())
      if (world.sandbox === sandbox) clocks.refuseWhileMoving(world);
    return worlds.close(sandbox);
  }

  async #build(place: Pick<World, 'sandbox' | 'environment'>, origin: Origin): Promise<Draft> {
    const { worlds, prepare, seeder } = this.options;
    const world = worlds.draft(place);
    if (origin.kind === 'image') {
      await inSlices(world.restoring(origin.image));
      return { world, rules: [] };
    }
    prepare(world);
    if (origin.kind === 'preset') seeder.seed(world);
    if (origin.kind === 'fixture') seeder.fill(world, origin.name);
    const rules = faultRulesOf(world).list();
    return { world, rules: rules.map(({ rule }) => rule) };
  }

  /** Puts a draft in place, unless the world was moved or closed while it was made. */
  #put(world: World, draft: Draft): void {
    const { worlds, clocks } = this.options;
    clocks.refuseWhileMoving(world);
    if (worlds.peek(world) !== world) conflict();
    world.adoptContents(draft.world);
    faultRulesOf(world).set(draft.rules);
  }
}
