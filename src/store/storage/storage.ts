import { secretSource } from '../../config/access.ts';
import type { Settings } from '../../config/settings.ts';
import type { ClockState } from '../clock.ts';
import { randomSecret } from '../ids.ts';
import type { Change } from '../row.ts';
import type { World } from '../world.ts';
import type { MadeSandbox, Worlds } from '../worlds.ts';
import type { DataError } from './data-error.ts';
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
  /** Notes a change of a world. */
  note(world: World, change: WorldChange): void;
  /**
   * Resolves once all changes so far, of one world or of all, outlast the process; undefined if there is nothing to wait
   * for. Rejects with a `DataError` if they cannot be kept.
   */
  durable(world?: World): Promise<void> | undefined;
  /** Why changes, of one world or of any, cannot be kept at present; undefined if they can be. */
  writeFailure(world?: World): DataError | undefined;
  /** Ends without writing. */
  release(): Promise<void>;
  /** Writes all that is not written, and ends. @throws DataError when it cannot be written */
  close(): Promise<void>;
}

/** A world as it was last written. */
export interface KeptWorld {
  readonly key: string;
  readonly requests: number;
  readonly clock: ClockState;
  /** How many records it has, by table. */
  readonly records: Readonly<Record<string, number>>;
}

/** What a request without a key names a world by: the token of a hosted page, or an inbox that is a destination of it. */
export interface PublicName {
  readonly of: 'page' | 'inbox';
  readonly name: string;
}

/** A world that another emulator holds, as far as is known here. */
export interface RemoteClaim {
  readonly key: string;
  /** The name of the emulator that holds it. */
  readonly holder: string;
  /** The address at which other emulators reach it. */
  readonly url: string;
  /** Whether its lease has run out. It goes on while the database shows that it is renewed. */
  readonly isOver: boolean;
}

/** Worlds that several emulators share: each of them is held by one. */
export interface SharedWorlds {
  /** Known to the emulators of these worlds alone, so that they trust each other. */
  readonly hopSecret: string;
  /**
   * Claims the world of a key, unless another emulator holds it: where it is then, if that one can be reached. Undefined if
   * it is held here, and there is nothing to wait for.
   *
   * @throws NotKept if the world cannot be had, or reached
   */
  prepare(key: string): Promise<RemoteClaim | undefined> | RemoteClaim | undefined;
  /** Forgets where a world is, as it was not there. */
  forget(claim: RemoteClaim): void;
  /** Reads which worlds there are, besides the regular reads. @throws NotKept if the database does not respond */
  refresh(): Promise<void>;
  /** The key of the world that a request without a key is for, wherever it is held; undefined if there is none. */
  worldNamed(name: PublicName): Promise<string | undefined>;
  /** What the worlds of these keys hold, as they were last written. */
  describe(keys: readonly string[]): Promise<readonly KeptWorld[]>;
  /**
   * Gives an open world back, to be read when it is next asked for or something of it is due, unless something waits to be
   * kept.
   */
  unload(world: World): void;
  /** Gives the world of a key back as soon as all of it is kept, so that another emulator can claim it. */
  handOver(key: string): Promise<void>;
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
  writeFailure: () => undefined,
  release: () => done,
  close: () => done,
};

/**
 * The settings with the secret that tokens, signing secrets and cookies are derived from. A random one is kept beside
 * the data, so that cookies survive a restart.
 *
 * @throws DataError where the file of the secret cannot be used
 * @assumes A-301
 */
export function withSecret(settings: Settings, storage: Pick<Storage, 'secret'>): Settings {
  const source = secretSource(settings);
  if (source === 'setting') return settings;
  if (source === 'seed') return { ...settings, secret: settings.seed };
  return { ...settings, secret: storage.secret() };
}
