// Long because every way in which what a world holds changes hands stands here: each must keep, note and refuse alike.

import type { Advance } from '../../clock/advance.ts';
import { nextDue, runDueJobs } from '../../clock/due.ts';
import { autoTopUpOnCommit } from '../../clock/running-clocks.ts';
import type { AdvanceGoal, WorldClocks } from '../../clock/world-clocks.ts';
import { DEFAULT_SANDBOX } from '../../config/access.ts';
import type { MachineTime } from '../../config/machine-time.ts';
import { type Settings, SettingsError } from '../../config/settings.ts';
import { earliest } from '../../domain/instant.ts';
import { expandFolders, FixtureError, readFixture } from '../../fixtures/fixture-file.ts';
import { applyFixture } from '../../fixtures/run-fixture.ts';
import type { ScenarioTarget } from '../../fixtures/scenario.ts';
import { conflict } from '../../resources/problems.ts';
import { startClock } from '../../store/clock.ts';
import {
  beginGeneration,
  type Generation,
  Generations,
  holdDeleted,
  holdGeneration,
} from '../../store/generations.ts';
import {
  type Origin,
  originOf,
  returnSnapshots,
  type Snapshot,
  type SnapshotStore,
  setOrigin,
  snapshotsOf,
  storeSnapshot,
} from '../../store/snapshots.ts';
import { NotKept } from '../../store/storage/data-error.ts';
import type {
  KeptWorld,
  PublicName,
  RemoteClaim,
  Storage,
  WorldChange,
} from '../../store/storage/storage.ts';
import { bringBack, snapshotImage } from '../../store/storage/stored-image.ts';
import { runTimeSliced, type TimeSliced } from '../../store/time-sliced.ts';
import type { CommitListener, Environment, World, WorldImage } from '../../store/world.ts';
import { keyOf, parseKey, Unavailable, Worlds, type WorldsListener } from '../../store/worlds.ts';
import { earliestDelivery } from '../../webhooks/destination-queue.ts';
import type { Dispatcher } from '../../webhooks/dispatcher.ts';

interface WorldManagerOptions {
  readonly settings: Settings;
  readonly machine: MachineTime;
  readonly clocks: WorldClocks;
  readonly dispatcher: Dispatcher;
  readonly storage: Storage;
  /** Has another emulator give a world back. */
  readonly handOver: ((claim: RemoteClaim) => Promise<void>) | undefined;
  /** Called in every commit of every world. If it throws, the commit is undone. */
  readonly onCommit: CommitListener | undefined;
  /** The target on which a fixture is run synchronously. */
  readonly targetOf: (world: World) => ScenarioTarget;
}

interface NewSandbox {
  readonly sandbox: string;
  readonly environment: Environment;
  /** Its contents, adapted to it. */
  readonly origin: (world: World) => Origin | Promise<Origin>;
  readonly lifetimeMs: number | undefined;
}

/**
 * Opens, fills, replaces and closes worlds. A replacement is built as a draft first, so that a fixture that fails or an
 * image that is invalid changes nothing; images in slices, so that other worlds are served meanwhile.
 *
 * @assumes A-1406
 */
export class WorldManager implements WorldsListener {
  readonly worlds: Worlds;
  /** Fixture files that can be requested, beside those of the library. */
  readonly fixtures: Set<string>;
  readonly #generations = new Generations();
  #isSeeding = false;

  constructor(private readonly options: WorldManagerOptions) {
    const { settings, machine } = options;
    this.fixtures = new Set([...settings.fixture, settings.sandbox_fixture]);
    const clock = startClock(settings, machine);
    this.worlds = new Worlds(settings, machine, clock, this, () => options.storage.known);
  }

  /**
   * Opens the worlds of the storage, and begins to store them.
   *
   * @throws SettingsError if it has more sandboxes than the settings allow
   */
  load(): void {
    const { storage } = this.options;
    for (const [sandbox, made] of storage.made) this.worlds.admit(sandbox, made);
    this.#refuseTooMany(storage.keys);
    for (const key of storage.keys) this.worlds.find(key);
    const { worlds } = this;
    storage.keep({
      values: () => worlds.values(),
      madeOf: (sandbox) => worlds.madeOf(sandbox),
      syncMade: (made) => worlds.syncMade(made),
      find: (key) => worlds.find(key),
      drop: (key) => worlds.drop(key),
      dueAt,
    });
  }

  /** @throws SettingsError if the keys open more sandboxes than the settings allow */
  #refuseTooMany(keys: readonly string[]): void {
    const { MAX_SANDBOXES: most } = this.options.settings.limits;
    const names = new Set(keys.map((key) => this.worlds.sandboxOf(key)));
    names.delete(undefined);
    if (names.size <= most) return;
    const beyond = [...names].slice(most, most + 10).join(', ');
    throw new SettingsError([
      `The data has ${names.size} sandboxes; at most ${most} can be open: no room for ${beyond}.`,
    ]);
  }

  /** Stores the head of a world, as it may have changed. */
  readonly touch = (world: World): void => {
    if (!this.#isSeeding) this.#note(world, { kind: 'head' });
  };

  /**
   * Resolves once all changes of one world, or of all, are kept. Fixtures do not wait, as the world that they fill is
   * not open yet.
   */
  readonly durable = (world?: World): Promise<void> | undefined =>
    this.#isSeeding ? undefined : this.options.storage.durable(world);

  isValid(key: string): boolean {
    return this.worlds.sandboxOf(key) !== undefined;
  }

  /**
   * The world that a key opens, for a request; undefined where the key is not valid.
   *
   * @throws Unavailable also where its fixture cannot be run: the cause is the file, not the emulator
   */
  find(key: string): World | undefined {
    try {
      return this.worlds.find(key);
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error;
      throw new Unavailable(`The fixture of this world cannot be run. ${error.message}`);
    }
  }

  /** Gets the world of a key here, where several emulators share worlds, unless another one holds it: where it is then. */
  prepare(key: string): Promise<RemoteClaim | undefined> | RemoteClaim | undefined {
    return this.isValid(key) ? this.options.storage.shared?.prepare(key) : undefined;
  }

  /** The key of the world that a request without a key is for; undefined if there is none. */
  async keyOfName(name: PublicName): Promise<string | undefined> {
    // Several worlds may have an inbox of a name: the storage says which one it is, however many are open here.
    const open = name.of === 'page' ? this.#openWorldOfLink(name.name) : undefined;
    const key = open ? keyOf(open) : await this.options.storage.shared?.worldNamed(name);
    return key !== undefined && this.isValid(key) ? key : undefined;
  }

  #openWorldOfLink(token: string): World | undefined {
    return [...this.worlds.values()].find(({ tables }) => tables.links.get(token) !== undefined);
  }

  /** Gets the world of a key here, which another emulator that holds it gives back. @throws NotKept if it does not */
  async #bring(key: string): Promise<void> {
    const { storage, handOver } = this.options;
    const claim = await storage.shared?.prepare(key);
    if (!claim) return;
    await handOver?.(claim);
    storage.shared?.forget(claim);
    if (await storage.shared?.prepare(key))
      throw new NotKept(`${key} is held by another emulator, ${claim.holder}.`);
  }

  /** Reads which worlds there are, wherever they are held. */
  async refresh(): Promise<void> {
    await this.options.storage.shared?.refresh();
  }

  /** Whether a world must stay in memory: it changes, something of it is due soon, or its sandbox expires. */
  isBusy(world: World, soonMs: number): boolean {
    const { clocks, machine } = this.options;
    const due = dueAt(world);
    return (
      clocks.isMoving(world) ||
      this.worlds.closesAt(world.sandbox) !== undefined ||
      (due !== undefined && due <= machine() + soonMs)
    );
  }

  /** Gives a world back to the storage, unless something waits to be kept; it is read when it is next needed. */
  unload(world: World): void {
    this.options.storage.shared?.unload(world);
  }

  /** Why changes of one world, or of any, cannot be kept at present; undefined if they can be. */
  readonly writeFailure = (world?: World): Error | undefined =>
    this.#isSeeding ? undefined : this.options.storage.writeFailure(world);

  opened(world: World, draft?: World): void {
    const { storage, clocks, dispatcher } = this.options;
    this.#prepare(world);
    const kept = storage.take(keyOf(world));
    if (draft) world.adoptContents(draft);
    else if (kept.length > 0) bringBack(world, kept);
    else this.#seed(world);
    if (kept.length === 0) this.#note(world, { kind: 'state' });
    world.onCommit((changes) => this.#note(world, { kind: 'rows', changes }));
    world.onRestore(() => this.#note(world, { kind: 'state' }));
    clocks.running.watch(world);
    dispatcher.attach(world);
  }

  closed(world: World, isFinal: boolean): void {
    if (isFinal) this.#generations.forget(keyOf(world));
    this.#note(world, { kind: 'closed' });
    this.#end(world);
  }

  /** Another emulator may change it from now on, so nothing returns to a generation before. */
  dropped(world: World): void {
    this.#generations.forget(keyOf(world));
    this.#end(world);
  }

  #end(world: World): void {
    const { clocks, dispatcher } = this.options;
    dispatcher.detach(world);
    clocks.running.forget(world);
    world.close();
  }

  #note(world: World, change: WorldChange): void {
    this.options.storage.note(world, change);
  }

  /** The fixtures that a world's key opens with, in order. @throws FixtureError where a folder cannot be read */
  presetFixtures(world: World): readonly string[] {
    const { fixture, sandbox_fixture } = this.options.settings;
    if (isDefault(world)) return expandFolders(fixture);
    return sandbox_fixture === '' ? [] : [sandbox_fixture];
  }

  /**
   * Takes a world back to an origin; without one, to what it opened with.
   *
   * @throws FixtureError where it is a fixture that cannot be played
   */
  async reset(world: World, origin: Origin = originOf(world)): Promise<void> {
    this.options.clocks.refuseWhileMoving(world);
    this.#supersede(world, await this.#build(world, origin), resetText(world, origin));
  }

  /** Replaces the state of a world by an image, after validating it. */
  async replace(
    world: World,
    image: WorldImage,
    validate: (draft: World) => TimeSliced<void>,
  ): Promise<void> {
    this.options.clocks.refuseWhileMoving(world);
    const draft = await this.#build(world, { kind: 'image', image });
    await runTimeSliced(validate(draft));
    this.#supersede(world, draft, 'import');
  }

  /**
   * Opens a sandbox that nobody used yet.
   *
   * @throws FixtureError where its origin is a fixture that cannot be played
   */
  async create({ sandbox, environment, origin: originFor, lifetimeMs }: NewSandbox): Promise<void> {
    const { worlds } = this;
    await this.refresh();
    if (worlds.isOpen(sandbox) || this.#isStored(sandbox)) refuseTaken(sandbox);
    await this.#bring(keyOf({ sandbox, environment }));
    const origin = await originFor(worlds.draft({ sandbox, environment }));
    const draft = await this.#build({ sandbox, environment }, origin);
    if (worlds.isOpen(sandbox)) refuseTaken(sandbox);
    const made = lifetimeMs === undefined ? {} : { lifetime_ms: lifetimeMs };
    const world = worlds.create({ sandbox, environment }, draft, made);
    setOrigin(world, origin);
    this.#note(world, { kind: 'origin' });
  }

  /** Whether there is data of a sandbox whose keys the settings do not admit. */
  #isStored(sandbox: string): boolean {
    return this.options.storage.known.some((key) => parseKey(key)?.sandbox === sandbox);
  }

  /** Saves the state of a world, replacing a snapshot of the same name. */
  saveSnapshot(world: World, name: string): Snapshot {
    this.options.clocks.refuseWhileMoving(world);
    const snapshot = storeSnapshot(world, name);
    this.#note(world, { kind: 'snapshot', image: snapshotImage(keyOf(world), snapshot) });
    return snapshot;
  }

  /** What the worlds of a sandbox hold that are kept and not open here. */
  async describeKept(sandbox: string): Promise<readonly KeptWorld[]> {
    const { storage } = this.options;
    const keys = storage.known.filter(
      (key) => parseKey(key)?.sandbox === sandbox && !this.worlds.has(key),
    );
    return keys.length > 0 ? ((await storage.shared?.describe(keys)) ?? []) : [];
  }

  /** Opens the worlds of a sandbox that are kept and not open. */
  async openKept(sandbox: string): Promise<void> {
    await this.refresh();
    for (const key of this.options.storage.known)
      if (this.worlds.sandboxOf(key) === sandbox) {
        await this.#bring(key);
        this.worlds.find(key);
      }
  }

  /** Deletes a snapshot; whether there was one. */
  deleteSnapshot(world: World, name: string): boolean {
    const snapshot = snapshotsOf(world).get(name);
    if (!snapshot) return false;
    snapshotsOf(world).delete(name);
    this.#note(world, { kind: 'no-image', image: snapshotImage(keyOf(world), snapshot) });
    return true;
  }

  /** Advances the clock of a world, which begins a generation of it. @throws RuleViolation */
  async advance(world: World, goal: AdvanceGoal, field: string): Promise<Advance> {
    this.options.clocks.refuseWhileMoving(world);
    const end = beginGeneration(world, `advance from ${world.now}`);
    const { advanced } = world.clock;
    try {
      return await this.options.clocks.advance(world, goal, field);
    } finally {
      const generation = end();
      // One that ends early has moved the world too; one that is refused has not.
      if (world.clock.advanced !== advanced && !world.isClosed) this.#generations.add(generation);
    }
  }

  /** Closes a sandbox; whether there was one. If `isFinal`, it cannot be undone. */
  remove(sandbox: string, isFinal: boolean): boolean {
    const open = [...this.worlds.values()].filter((world) => world.sandbox === sandbox);
    for (const world of open) this.options.clocks.refuseWhileMoving(world);
    const made = this.worlds.madeOf(sandbox);
    const held = isFinal ? [] : open.map((world) => holdDeleted(world, made));
    for (const generation of held) this.#generations.add(generation);
    return this.worlds.close(sandbox, isFinal);
  }

  #returnSnapshots(world: World, deleted: SnapshotStore): void {
    returnSnapshots(world, deleted);
    for (const snapshot of snapshotsOf(world).values())
      this.#note(world, { kind: 'image', image: snapshotImage(keyOf(world), snapshot) });
    this.#note(world, { kind: 'origin' });
  }

  /** The generation of a world before the present one; of a deleted world, the last. */
  former(world: Pick<World, 'sandbox' | 'environment'>): Generation | undefined {
    return this.#generations.latest(keyOf(world));
  }

  /**
   * Returns to the state before the latest reset, restore, import, deletion or advance, with its request log; returns
   * whether there is one.
   */
  async undo(world: World): Promise<boolean> {
    const { clocks } = this.options;
    const former = this.former(world);
    if (!former) return false;
    clocks.refuseWhileMoving(world);
    const { image, beside, made, deleted } = former;
    const draft = await this.#build(world, { kind: 'image', image });
    this.#refuseReplacing(world);
    // Another undo, or a reset, may have come first.
    if (this.former(world) !== former) return this.undo(world);
    if (made) this.worlds.admit(world.sandbox, made);
    world.adoptContents(draft, beside);
    if (deleted) this.#returnSnapshots(world, deleted);
    this.#generations.remove(former);
    return true;
  }

  /** Attaches listeners to a world. */
  #prepare(world: World): void {
    const { settings, onCommit } = this.options;
    world.afterCommit(() => autoTopUpOnCommit(world, settings));
    if (onCommit) world.onCommit(onCommit);
  }

  /** Fills a world with its fixtures. @throws FixtureError */
  #seed(world: World): void {
    for (const fixture of this.presetFixtures(world)) this.#fill(world, fixture);
  }

  /**
   * Fills a world from a fixture, and runs what is due by its clock afterwards.
   *
   * @throws FixtureError
   * @assumes A-1303
   */
  #fill(world: World, fixture: string): void {
    const { state } = world.clock;
    const { settings } = this.options;
    this.#isSeeding = true;
    try {
      const read = readFixture(fixture, settings.unknown_fields);
      const { scenario } = applyFixture(read, this.options.targetOf(world));
      if (scenario.clock === undefined || scenario.then === 'real') world.clock.state = state;
    } finally {
      this.#isSeeding = false;
    }
    runDueJobs(world, world.now, settings);
  }

  async #build(place: Pick<World, 'sandbox' | 'environment'>, origin: Origin): Promise<World> {
    const world = this.worlds.draft(place);
    if (origin.kind === 'image') {
      await runTimeSliced(world.restoring(origin.image));
      return world;
    }
    this.#prepare(world);
    if (origin.kind === 'preset') this.#seed(world);
    if (origin.kind === 'fixture') this.#fill(world, origin.name);
    return world;
  }

  /** Replaces the state of a world by a draft, and saves the former state. */
  #supersede(world: World, draft: World, by: string): void {
    this.#refuseReplacing(world);
    this.#generations.add(holdGeneration(world, by));
    world.adoptContents(draft);
  }

  /** Refuses to replace the state of a world whose clock is moving, or that was closed meanwhile. */
  #refuseReplacing(world: World): void {
    this.options.clocks.refuseWhileMoving(world);
    if (this.worlds.peek(world) !== world) conflict('This world was closed in the meantime.');
  }
}

/** When something of a world is due by the machine's time, attempts in progress included. */
function dueAt(world: World): number | undefined {
  const delivery = earliestDelivery(world);
  if (delivery === 'now') return world.clock.machine();
  const next = earliest([nextDue(world)?.at, delivery]);
  return next === undefined ? undefined : world.clock.machineTimeAt(next);
}

/** Names a reset, such as `reset to empty` or `restore of before`. */
function resetText(world: World, origin: Origin): string {
  if (origin.kind === 'preset') return 'reset';
  if (origin.kind !== 'image') return `reset to ${origin.kind === 'empty' ? 'empty' : origin.name}`;
  const snapshot = [...snapshotsOf(world).values()].find(({ image }) => image === origin.image);
  return snapshot ? `restore of ${snapshot.name}` : 'reset';
}

function isDefault({ sandbox, environment }: World): boolean {
  return sandbox === DEFAULT_SANDBOX && environment === 'test';
}

function refuseTaken(sandbox: string): never {
  conflict(`The sandbox ${sandbox} already exists.`);
}
