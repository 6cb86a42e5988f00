import type { ClockState, MachineTime } from './clock.ts';
import type { Settings } from './settings.ts';
import type { Environment } from './world.ts';
import { World } from './world.ts';

/** Sandbox whose test environment opens from the default fixture. */
export const DEFAULT_SANDBOX = 'emulator';

const KEY = /^key_(test|live)_([a-z0-9][a-z0-9-]{0,62})$/;

/** Raised when one more sandbox would be too many. */
export class NoRoom extends Error {
  constructor(limit: number) {
    super(
      `All ${limit} sandboxes are in use. Delete some with DELETE /_emulator/sandboxes, or raise max_sandboxes.`,
    );
  }
}

export interface ParsedKey {
  readonly sandbox: string;
  readonly environment: Environment;
}

/** Reads an API key; undefined for one that is malformed. @assumes A-103 */
export function parseKey(text: string): ParsedKey | undefined {
  const match = KEY.exec(text);
  return match ? { environment: match[1] as Environment, sandbox: match[2] as string } : undefined;
}

export const keyOf = ({ sandbox, environment }: ParsedKey): string =>
  `key_${environment}_${sandbox}`;

/** Told of each world once when it opens, to fill it, and once when it goes. */
export interface WorldsListener {
  opened(world: World): void;
  closed(world: World): void;
}

/** The open worlds by key. Worlds share nothing. */
export class Worlds {
  readonly #open = new Map<string, World>();

  constructor(
    private readonly settings: Settings,
    private readonly machine: MachineTime,
    private readonly clock: ClockState,
    private readonly listener: WorldsListener,
  ) {}

  /**
   * The world that a key opens, or undefined where the key is not valid.
   *
   * @throws NoRoom when there are too many sandboxes
   * @assumes A-103
   */
  find(text: string): World | undefined {
    const world = this.#open.get(text);
    if (world) return world;
    const parsed = parseKey(text);
    if (!parsed) return undefined;
    if (this.settings.keys === 'listed' && !this.settings.key_list.includes(text)) return undefined;
    return this.#openWorld(text, parsed);
  }

  values(): IterableIterator<World> {
    return this.#open.values();
  }

  /** Closes both environments of a sandbox; whether any was open. */
  close(sandbox: string): boolean {
    const environments: Environment[] = ['test', 'live'];
    const closed = environments.map((environment) => this.#close(keyOf({ sandbox, environment })));
    return closed.includes(true);
  }

  #close(text: string): boolean {
    const world = this.#open.get(text);
    if (!world) return false;
    this.#open.delete(text);
    this.listener.closed(world);
    return true;
  }

  #openWorld(text: string, { sandbox, environment }: ParsedKey): World {
    const sandboxes = new Set([...this.#open.values()].map((world) => world.sandbox));
    if (!sandboxes.has(sandbox) && sandboxes.size >= this.settings.max_sandboxes)
      throw new NoRoom(this.settings.max_sandboxes);
    const { seed } = this.settings;
    const world = new World({
      sandbox,
      environment,
      seed,
      clock: this.clock,
      machine: this.machine,
    });
    this.#open.set(text, world);
    try {
      this.listener.opened(world);
    } catch (error) {
      this.#open.delete(text);
      throw error;
    }
    return world;
  }
}
