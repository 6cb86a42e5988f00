import type { Instant } from '../domain/instant.ts';
import { Clock, type ClockState, type MachineTime } from './clock.ts';
import { deriveId, deriveToken, type IdKind } from './ids.ts';
import { Numbering } from './numbering.ts';
import { inOrderOfCreation, type Resumable, runToEnd } from './resumable.ts';
import { createTables, TABLE_NAMES, type Tables } from './schema.ts';
import type { Change, Row } from './table.ts';
import { UndoLog } from './undo-log.ts';
import { type WorldLocal, WorldLocals } from './world-local.ts';

export type Environment = 'live' | 'test';

export interface WorldOptions {
  readonly sandbox: string;
  readonly environment: Environment;
  readonly seed: string;
  readonly clock: ClockState;
  readonly machine: MachineTime;
}

/** What a world holds beside its rows. */
export interface WorldHead {
  readonly sequence: number;
  readonly requests: number;
  readonly clock: ClockState;
}

/** All that a world holds, rows shared with it. Rows are never changed in place, so a copy is cheap. */
export interface WorldImage extends WorldHead {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

export type CommitListener = (changes: readonly Change[], world: World) => void;

/**
 * What a key opens: the records of one sandbox in one environment, on their own clock and with their own
 * ids. Its records are changed inside `commit` only, which undoes everything when the work throws; how many
 * requests it answered and how its clock runs are no records, and change beside it.
 */
export class World {
  readonly sandbox: string;
  readonly environment: Environment;
  readonly seed: string;
  readonly clock: Clock;
  readonly tables: Tables;
  /** Account of the platform itself; equal in both environments. */
  readonly accountId: string;
  readonly organisationId: string;
  /** How many requests it answered, from which request ids are made. */
  requests = 0;
  /** Counts whatever changed its records, so that two equal ones tell that nothing did. */
  version = 0;

  readonly #undoLog = new UndoLog((change) => {
    this.tables[change.table as keyof Tables].set(change.id, change.before as never);
  });
  readonly #numbering: Numbering;
  #observed: Change[] | undefined;
  readonly #listeners = new Set<CommitListener>();
  readonly #followers = new Set<() => void>();
  readonly #restoreListeners = new Set<() => void>();
  readonly #locals = new WorldLocals();

  constructor({ sandbox, environment, seed, clock, machine }: WorldOptions) {
    this.sandbox = sandbox;
    this.environment = environment;
    this.seed = seed;
    this.clock = new Clock(machine, clock);
    this.accountId = deriveId('account', [seed, sandbox]);
    this.organisationId = deriveId('organisation', [seed, sandbox]);
    this.tables = createTables((change) => this.#undoLog.note(change));
    const parts = [seed, sandbox, environment];
    this.#numbering = new Numbering(parts, this.tables.ordinals, this.#undoLog);
  }

  get now(): Instant {
    return this.clock.now();
  }

  /** Next place in the order of creation. */
  nextSeq(): number {
    this.#undoLog.sequence += 1;
    return this.#undoLog.sequence;
  }

  /** Next identifier of a kind for an owner. @assumes A-301 */
  nextId(kind: IdKind, owner: string): string {
    const { series, ordinal } = this.#numbering.next(kind, owner);
    return series.id(kind, ordinal);
  }

  /** Next UUID of the emulator's own making, as ledger transactions have. */
  nextUuid(kind: string, owner: string): string {
    const { series, ordinal } = this.#numbering.next(kind, owner);
    return series.uuid(ordinal);
  }

  /** Next secret or token of a kind. */
  nextToken(kind: string, owner: string): string {
    const { ordinal } = this.#numbering.next(kind, owner);
    return deriveToken([this.seed, this.sandbox, this.environment, owner, kind, ordinal]);
  }

  /** Runs work that changes this world, all of it or, when it throws, nothing. */
  commit<T>(work: () => T): T {
    if (this.#undoLog.isOpen) return this.#undoLog.undoingRefusal(work);
    const { value, changes } = this.#undoLog.open(work, (kept) => {
      for (const listener of this.#listeners) listener(kept, this);
    });
    if (this.#observed) for (const change of changes) this.#observed.push(change);
    if (changes.length > 0) this.version += 1;
    if (changes.length > 0) for (const follower of this.#followers) follower();
    return value;
  }

  /** Runs work, answers what it answers and leaves no trace of it. */
  dryRun<T>(work: () => T): T {
    return this.#undoLog.undoing(work);
  }

  /** Has something beside the records undone too where the commit under way is. */
  onUndo(undo: () => void): void {
    this.#undoLog.noteFurther(undo);
  }

  /** Calls a listener after every commit that changed something; answers how to stop. */
  onCommit(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls a follower once a commit that changed something is kept and all its listeners were told, so
   * that it may make commits of its own.
   */
  afterCommit(follower: () => void): void {
    this.#followers.add(follower);
  }

  /** Runs work, and answers what it answers with all that its commits and what follows them changed. */
  observe<T>(work: () => T): { value: T; changes: readonly Change[] } {
    const outer = this.#observed;
    const changes: Change[] = [];
    this.#observed = changes;
    try {
      return { value: work(), changes };
    } finally {
      this.#observed = outer;
      if (outer) for (const change of changes) outer.push(change);
    }
  }

  /** What is kept for it beside its records, made on first use. */
  local<T>(definition: WorldLocal<T>): T {
    return this.#locals.of(definition, this);
  }

  /** Lets go of all that is kept beside its records. */
  close(): void {
    this.#locals.close();
  }

  /** A copy of everything it holds, by table and in the order of creation. */
  image(): WorldImage {
    return runToEnd(this.imaging());
  }

  /** The same bit by bit: what it held at the first step. */
  *imaging(): Resumable<WorldImage> {
    const image = this.capture();
    const tables: [string, readonly Row[]][] = [];
    for (const [name, rows] of Object.entries(image.tables))
      tables.push([name, yield* inOrderOfCreation(rows)]);
    return { ...image, tables: Object.fromEntries(tables) };
  }

  /** The same in no promised order, at once. */
  capture(): WorldImage {
    const tables = TABLE_NAMES.map((name) => [name, this.tables[name].capture()] as const);
    return { ...this.head, tables: Object.fromEntries(tables) };
  }

  get head(): WorldHead {
    const { requests, clock } = this;
    return { sequence: this.#undoLog.sequence, requests, clock: clock.kept };
  }

  /** Another world that holds what this one held at the first step, for trying out what nobody shall see. */
  *forking(): Resumable<World> {
    const { sandbox, environment, seed, clock } = this;
    const { machine, state } = clock;
    const fork = new World({ sandbox, environment, seed, clock: state, machine });
    yield* fork.restoring(this.capture());
    return fork;
  }

  /** Calls a listener whenever everything it holds was replaced; answers how to stop. */
  onRestore(listener: () => void): () => void {
    this.#restoreListeners.add(listener);
    return () => this.#restoreListeners.delete(listener);
  }

  /**
   * Replaces everything it holds, and empties what is kept beside its records. Listeners to commits are not
   * told.
   */
  restore(image: WorldImage): void {
    runToEnd(this.restoring(image));
  }

  /** The same bit by bit: what it holds is replaced in the last step, at once. */
  *restoring(image: WorldImage): Resumable<void> {
    // Rows that leave one by one would each move those behind them in every index.
    const tables = createTables(() => {});
    for (const name of TABLE_NAMES) yield* tables[name].fill((image.tables[name] ?? []) as never);
    this.#replace(tables, image);
  }

  /** Replaces everything it holds by what another holds, which is of no use any more. */
  adoptContents(other: World): void {
    this.#replace(other.tables, other.head, other.#locals);
  }

  #replace(
    tables: Tables,
    { sequence, requests, clock }: WorldHead,
    drafted = new WorldLocals(),
  ): void {
    if (this.#undoLog.isOpen) throw new Error('A world cannot be replaced inside a commit.');
    for (const name of TABLE_NAMES) this.tables[name].take(tables[name] as never);
    this.version += 1;
    this.#undoLog.sequence = sequence;
    this.requests = requests;
    this.clock.state = clock;
    this.#locals.clear();
    this.#locals.adopt(drafted, this);
    // A copy, as a listener may stop and start over.
    for (const listener of [...this.#restoreListeners]) listener();
  }
}
