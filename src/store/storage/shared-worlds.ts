import type { ClockState } from '../clock.ts';
import type { World } from '../world.ts';

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
  /** Looks which worlds there are: more often than by itself. @throws NotKept if the database does not answer */
  refresh(): Promise<void>;
  /** The key of the world that a request without a key is for, wherever it is held; undefined if there is none. */
  worldNamed(name: PublicName): Promise<string | undefined>;
  /** What the worlds of these keys hold, as they were last written. */
  describe(keys: readonly string[]): Promise<readonly KeptWorld[]>;
  /** Gives an open world back, to be read when it is next asked for or something of it is due, unless something waits to be kept. */
  unload(world: World): void;
  /** Gives the world of a key back as soon as all of it is kept, so that another emulator can claim it. */
  handOver(key: string): Promise<void>;
}
