import type { Instant } from '../domain/instant.ts';
import type { Tables } from './schema.ts';
import type { WorldImage } from './world.ts';
import type { MadeSandbox } from './worlds.ts';

/** The state of a world before it was replaced or its sandbox deleted. */
export interface FormerState {
  /** Unique within its world. */
  readonly number: number;
  readonly saved_at: Instant;
  readonly image: WorldImage;
  /** How a deleted sandbox had been made, if that was by request. */
  readonly made?: MadeSandbox;
}

/** Limits: states per world, worlds, records of all states, and states whose tables are kept whole. */
const MOST = { ofWorld: 3, worlds: 1_000, records: 1_000_000, whole: 2 } as const;

/** The latest former states of each world, by key: an undo history. */
export class FormerStates {
  /** In the order in which they were last added to. */
  readonly #byKey = new Map<string, readonly FormerState[]>();
  #count = 0;
  #records = 0;
  /** The tables of the latest states, oldest first. */
  readonly #tables = new Map<FormerState, Tables>();

  /** All states, also while some are added or removed. */
  *entries(): Generator<readonly [key: string, state: FormerState]> {
    for (const [key, states] of this.#byKey) for (const state of states) yield [key, state];
  }

  latest(key: string): FormerState | undefined {
    return this.#byKey.get(key)?.at(-1);
  }

  /** Adds a state and the tables that hold it; returns those that were dropped to keep within the limits. */
  add(
    key: string,
    state: Omit<FormerState, 'number'>,
    tables?: Tables,
  ): (readonly [key: string, FormerState])[] {
    const number = (this.latest(key)?.number ?? 0) + 1;
    const added = { ...state, number };
    this.put(key, added);
    if (tables) this.#keepTables(added, tables);
    const gone: (readonly [string, FormerState])[] = [];
    const remove = (of: string) => gone.push([of, this.#remove(of, 0)]);
    while ((this.#byKey.get(key)?.length ?? 0) > MOST.ofWorld) remove(key);
    while (this.#byKey.size > MOST.worlds || (this.#records > MOST.records && this.#count > 1))
      remove(this.#byKey.keys().next().value as string);
    return gone;
  }

  /** The tables that hold a state, if they are kept: it need not be built from its image then. */
  tablesOf(state: FormerState): Tables | undefined {
    return this.#tables.get(state);
  }

  /** Adds a state that was read from a data file. */
  put(key: string, state: FormerState): void {
    const states = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    this.#byKey.set(key, [...states, state]);
    this.#records += sizeOf(state);
    this.#count += 1;
  }

  #keepTables(state: FormerState, tables: Tables): void {
    this.#tables.set(state, tables);
    const [oldest] = this.#tables.keys();
    if (oldest && this.#tables.size > MOST.whole) this.#tables.delete(oldest);
  }

  removeLatest(key: string): void {
    this.#remove(key, -1);
  }

  #remove(key: string, place: 0 | -1): FormerState {
    const states = this.#byKey.get(key) as readonly FormerState[];
    const gone = states.at(place) as FormerState;
    const kept = states.filter((state) => state !== gone);
    if (kept.length > 0) this.#byKey.set(key, kept);
    else this.#byKey.delete(key);
    this.#records -= sizeOf(gone);
    this.#count -= 1;
    this.#tables.delete(gone);
    return gone;
  }
}

const sizeOf = ({ image }: FormerState): number =>
  Object.values(image.tables).reduce((total, rows) => total + rows.length, 0);
