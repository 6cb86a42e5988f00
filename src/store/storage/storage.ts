import type { Settings } from '../../config/settings.ts';
import { randomSecret } from '../ids.ts';
import type { Change } from '../row.ts';
import type { World } from '../world.ts';
import type { MadeSandbox, Worlds } from '../worlds.ts';
import type { SharedWorlds } from './shared-worlds.ts';
import type { ImageLabel, StoredImage } from './stored-image.ts';

/** The settings that a storage reads. */
export type StorageSettings = Pick<
  Settings,
  'data' | 'seed' | 'service_name' | 'reporting_currency' | 'advertise' | 'host' | 'port'
>;

/** The open worlds, as a storage needs them. */
export interface OpenWorlds
  extends Pick<Worlds, 'values' | 'madeOf' | 'syncMade' | 'find' | 'drop'> {
  /** When something of a world is due by the machine's time, in milliseconds since 1970; undefined for nothing. */
  dueAt(world: World): number | undefined;
}

/** Those of a storage that does not keep any yet. */
export const NO_WORLDS: OpenWorlds = {
  values: () => [].values(),
  madeOf: () => undefined,
  syncMade: () => {},
  find: () => undefined,
  drop: () => {},
  dueAt: () => undefined,
};

/** What has changed of a world. */
export type WorldChange =
  /** Rows, by a commit. */
  | { readonly kind: 'rows'; readonly changes: readonly Change[] }
  /** Its sequence, clock or count of requests. */
  | { readonly kind: 'head' }
  /** All of it: it was opened, or its state was replaced. */
  | { readonly kind: 'state' }
  /** What a reset restores. */
  | { readonly kind: 'origin' }
  /** A snapshot of the present state. */
  | { readonly kind: 'snapshot'; readonly image: StoredImage }
  | { readonly kind: 'image'; readonly image: StoredImage }
  | { readonly kind: 'no-image'; readonly image: ImageLabel }
  | { readonly kind: 'closed' };

/**
 * Where worlds are kept beyond the process. Memory, file and database share it; nothing above this folder knows which of
 * them it has.
 */
export interface Storage {
  /** A random secret, which is kept beside the worlds. @throws DataError where it cannot be kept */
  secret(): string;
  /** The sandboxes that were made by request, among those that it keeps. */
  readonly made: ReadonlyMap<string, MadeSandbox>;
  /** The keys of the worlds that it holds and that are not open, in the order in which they are opened again. */
  readonly keys: readonly string[];
  /** The keys of all worlds that it keeps, whether they are open here, in another emulator or nowhere. */
  readonly known: readonly string[];
  /** What there is to know of worlds that other emulators may hold; undefined if there are no others. */
  readonly shared?: SharedWorlds;
  /** Takes out what it holds of a key whose world is being opened: its state, snapshots and origin; empty for nothing. */
  take(key: string): readonly StoredImage[];
  /** Begins to keep the open worlds. */
  keep(worlds: OpenWorlds): void;
  /** Tells that a world has changed. */
  note(world: World, change: WorldChange): void;
  /**
   * Resolves once all changes so far, of one world or of all, outlast the process; undefined if there is nothing to wait
   * for. Rejects with a `DataError` if they cannot be kept.
   */
  durable(world?: World): Promise<void> | undefined;
  /** Undefined if changes, of one world or of any, can be kept; else resolves once they can be, or rejects with a `DataError`. */
  room(world?: World): Promise<void> | undefined;
  /** Ends without writing. */
  release(): Promise<void>;
  /** Writes all that is not written, and ends. @throws DataError when it cannot be written */
  close(): Promise<void>;
}

const done = Promise.resolve();

/** Keeps nothing beyond the process. */
export const memoryStorage: Storage = {
  secret: randomSecret,
  made: new Map(),
  keys: [],
  known: [],
  take: () => [],
  keep: () => {},
  note: () => {},
  durable: () => undefined,
  room: () => undefined,
  release: () => done,
  close: () => done,
};
