import type { Instant } from '../domain/instant.ts';
import { Clock, type ClockState } from './clock.ts';
import { deriveId, deriveToken, type IdKind, Numbering } from './ids.ts';
import { type Local, Locals } from './locals.ts';
import type { Change, Row } from './row.ts';
import { createTables, TABLE_NAMES, type Tables } from './schema.ts';
import { inOrderOfCreation, type TimeSliced } from './time-sliced.ts';
import { UndoLog } from './undo-log.ts';

export type Environment = 'live' | 'test';

export interface WorldOptions {
  readonly sandbox: string;
  readonly environment: Environment;
  /** What its identifiers are derived from. */
  readonly seed: string;
  /** What its tokens and signing secrets are derived from. */
  readonly secret: string;
  readonly clock: ClockState;
  readonly machine: Clock['machine'];
}

/** The state of a world beside its rows. */
export interface WorldHead {
  readonly sequence: number;
  readonly requests: number;
  readonly clock: ClockState;
}

/** The whole state of a world. It shares the rows, which are never changed in place, so a copy is cheap. */
export interface WorldImage extends WorldHead {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

/** The sandbox of a world was deleted or has expired while a call was in progress. */
export class WorldClosed extends Error {
  constructor() {
    super('This world was closed in the meantime. Try again.');
  }
}

export type CommitListener = (changes: readonly Change[], world: World) => void;

/**
 * What a key opens: the records of one sandbox in one environment, with their own clock and ids. Records are changed only
 * inside `commit`, which undoes everything if the work throws; the request count and the clock are not part of commits.
 */
export class World {
  readonly sandbox: string;
  readonly environment: Environment;
  readonly seed: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly tables: Tables;
  /** The platform's own account; the same in both environments. */
  readonly accountId: string;
  readonly organisationId: string;
  /** How many requests it has answered; request ids derive from it. */
  requests = 0;
  /** Changes with every change of its records. */
  version = 0;
  /** How often its whole state was replaced. */
  replacements = 0;
  /** Whether its sandbox was deleted or expired. Its key may have another world by now. */
  isClosed = false;

  readonly #undoLog = new UndoLog((change) => {
    this.tables[change.table as keyof Tables].set(change.id, change.before as never);
  });
  readonly #numbering: Numbering;
  #observed: Change[] | undefined;
  readonly #listeners = new Set<CommitListener>();
  readonly #followers = new Set<() => void>();
  readonly #restoreListeners = new Set<() => void>();
  readonly #locals = new Locals<World>();

  constructor({ sandbox, environment, seed, secret, clock, machine }: WorldOptions) {
    this.sandbox = sandbox;
    this.environment = environment;
    this.seed = seed;
    this.secret = secret;
    this.clock = new Clock(machine, clock);
    this.accountId = deriveId('account', [seed, sandbox]);
    this.organisationId = deriveId('organisation', [seed, sandbox]);
    this.tables = createTables((change) => this.#undoLog.note(change));
    const { ordinals } = this.tables;
    this.#numbering = new Numbering([seed, sandbox, environment], ordinals, this.#undoLog);
  }

  get now(): Instant {
    return this.clock.now();
  }

  /** The next number in the order of creation. */
  nextSeq(): number {
    this.#undoLog.sequence += 1;
    return this.#undoLog.sequence;
  }

  /** The next identifier of a kind for an owner. @assumes A-301 */
  nextId(kind: IdKind, owner: string): string {
    const { series, ordinal } = this.#numbering.next(kind, owner);
    return series.id(kind, ordinal);
  }

  /** The next generated UUID, as ledger transactions have. */
  nextUuid(kind: string, owner: string): string {
    const { series, ordinal } = this.#numbering.next(kind, owner);
    return series.uuid(ordinal);
  }

  /** The next token or signing secret of a kind for an owner. @assumes A-301 */
  nextToken(kind: string, owner: string): string {
    const { ordinal } = this.#numbering.next(kind, owner);
    return deriveToken(this.secret, [this.sandbox, this.environment, owner, kind, ordinal]);
  }

  /**
   * Runs work as one transaction: if it throws, all its changes are undone.
   *
   * @throws WorldClosed, as nobody would see the changes
   */
  commit<T>(work: () => T): T {
    if (this.#undoLog.isOpen) return this.#undoLog.undoingFailure(work);
    if (this.isClosed) throw new WorldClosed();
    const { value, changes } = this.#undoLog.open(work, (kept) => {
      for (const listener of this.#listeners) listener(kept, this);
    });
    if (this.#observed) for (const change of changes) this.#observed.push(change);
    if (changes.length > 0) this.version += 1;
    if (changes.length > 0) for (const follower of this.#followers) follower();
    return value;
  }

  /** Runs work, returns its result and undoes its changes. */
  dryRun<T>(work: () => T): T {
    return this.#undoLog.undoing(work);
  }

  /** Registers how to undo something beside the records, should the open commit be undone. */
  onUndo(undo: () => void): void {
    this.#undoLog.noteOther(undo);
  }

  /** Calls a listener in every commit that changed something; if it throws, the commit is undone. Returns how to stop. */
  onCommit(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls a follower after every commit that changed something, once it is final: it may make commits of its own. */
  afterCommit(follower: () => void): void {
    this.#followers.add(follower);
  }

  /** Runs work; returns its result and all changes of its commits and of those that followed them. */
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

  /** State of the world beside its records, created on first use. */
  local<T>(definition: Local<T, World>): T {
    return this.#locals.of(definition, this);
  }

  /** A copy of the state beside its records that returns with a generation of it. */
  holdBeside() {
    return this.#locals.hold();
  }

  /** Releases all state beside its records. */
  close(): void {
    this.isClosed = true;
    this.#locals.close();
  }

  /** Its whole state at the first step, with the rows of each table in the order of creation. */
  *imaging(): TimeSliced<WorldImage> {
    const image = this.capture();
    const tables: [string, readonly Row[]][] = [];
    for (const [name, rows] of Object.entries(image.tables))
      tables.push([name, yield* inOrderOfCreation(rows)]);
    return { ...image, tables: Object.fromEntries(tables) };
  }

  /** Its whole state, with the rows in no particular order. */
  capture(): WorldImage {
    const tables = TABLE_NAMES.map((name) => [name, this.tables[name].capture()] as const);
    return { ...this.head, tables: Object.fromEntries(tables) };
  }

  get head(): WorldHead {
    return { sequence: this.#undoLog.sequence, requests: this.requests, clock: this.clock.stored };
  }

  /** A copy of this world as it was at the first step, for trying something out. */
  *forking(): TimeSliced<World> {
    const { sandbox, environment, seed, secret, clock } = this;
    const { machine, state } = clock;
    const fork = new World({ sandbox, environment, seed, secret, clock: state, machine });
    yield* fork.restoring(this.capture());
    return fork;
  }

  /** Calls a listener whenever its whole state was replaced; returns how to stop. */
  onRestore(listener: () => void): () => void {
    this.#restoreListeners.add(listener);
    return () => this.#restoreListeners.delete(listener);
  }

  /**
   * Replaces its whole state in the last step, and resets the state beside its records. Listeners of commits are not
   * called.
   */
  *restoring(image: WorldImage): TimeSliced<void> {
    // Rows that leave one by one would each move those behind them in every index.
    const tables = createTables(() => {});
    for (const name of TABLE_NAMES) yield* tables[name].fill((image.tables[name] ?? []) as never);
    this.#replace(tables, image);
  }

  /** Takes over the state of another world, with what it held beside its records or what is given instead. */
  adoptContents(other: World, beside: Locals<World> = other.#locals): void {
    this.#replace(other.tables, other.head, beside);
  }

  #replace(tables: Tables, head: WorldHead, drafted = new Locals<World>()): void {
    if (this.#undoLog.isOpen) throw new Error('A world cannot be replaced inside a commit.');
    for (const name of TABLE_NAMES) this.tables[name].swap(tables[name] as never);
    this.version += 1;
    this.replacements += 1;
    this.#undoLog.sequence = head.sequence;
    this.requests = head.requests;
    this.clock.state = head.clock;
    this.#locals.clear();
    this.#locals.adopt(drafted, this);
    // A copy, as a listener may stop and start over.
    for (const listener of [...this.#restoreListeners]) listener();
  }
}
