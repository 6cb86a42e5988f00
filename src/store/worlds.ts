import type { MachineTime } from '../config/machine-time.ts';
import { API_KEY } from '../config/setting-kinds.ts';
import type { Settings } from '../config/settings.ts';
import type { ClockState } from './clock.ts';
import type { Environment } from './world.ts';
import { World } from './world.ts';

/** The world of a valid key cannot be opened. */
export class Unavailable extends Error {}

/** The emulator is about to end: another attempt may reach the one that takes over. */
export class Stopping extends Unavailable {
  constructor() {
    super('The emulator is stopping.');
  }
}

export interface ParsedKey {
  readonly sandbox: string;
  readonly environment: Environment;
}

/** Reads an API key; undefined for one that is malformed. @assumes A-103 */
export function parseKey(text: string): ParsedKey | undefined {
  const match = API_KEY.exec(text);
  return match ? { environment: match[1] as Environment, sandbox: match[2] as string } : undefined;
}

export const keyOf = ({ sandbox, environment }: ParsedKey): string =>
  `key_${environment}_${sandbox}`;

/** Called once when a world opens, to fill it, and once when it closes: if `isFinal`, not to return. */
export interface WorldsListener {
  /** The draft, if given, is what the world takes over. */
  opened(world: World, draft?: World): void;
  closed(world: World, isFinal: boolean): void;
  /** Called when a world is no longer this emulator's. */
  dropped(world: World): void;
}

export const ENVIRONMENTS: readonly Environment[] = ['test', 'live'];

/** A sandbox that was made by request. */
export interface MadeSandbox {
  /** After how long without use it is closed; never if absent. */
  readonly lifetime_ms?: number;
}

/** The open worlds by key. Worlds share nothing. */
export class Worlds {
  readonly #open = new Map<string, World>();
  /** Sandboxes that were made by request, so that their keys are valid, and when they expire by the machine's time. */
  readonly #made = new Map<string, { readonly made: MadeSandbox; until: number }>();

  constructor(
    private readonly settings: Settings,
    private readonly machine: MachineTime,
    private readonly clock: ClockState,
    private readonly listener: WorldsListener,
    /** The keys of worlds that are kept elsewhere, open or not. */
    private readonly kept: () => readonly string[] = () => [],
  ) {}

  /**
   * The world that a key opens, or undefined where the key is not valid.
   *
   * @throws Unavailable when there are too many sandboxes
   * @assumes A-103
   */
  find(text: string): World | undefined {
    const world = this.#open.get(text);
    if (world && this.#isKept(world.sandbox)) return world;
    const parsed = this.#parse(text);
    return parsed && this.#openWorld(parsed);
  }

  /** The sandbox that a key opens; undefined where the key is not valid. */
  sandboxOf(text: string): string | undefined {
    return this.#parse(text)?.sandbox;
  }

  #parse(text: string): ParsedKey | undefined {
    const parsed = parseKey(text);
    return parsed && this.#isListed(text, parsed.sandbox) ? parsed : undefined;
  }

  /** The world of a sandbox in an environment, if it is open. */
  peek(parsed: ParsedKey): World | undefined {
    this.sweep();
    return this.#open.get(keyOf(parsed));
  }

  /** Whether the world of a key is open. */
  has(text: string): boolean {
    const parsed = parseKey(text);
    return parsed !== undefined && this.peek(parsed) !== undefined;
  }

  /** Whether there is a world of a key, open or kept elsewhere. */
  isKnown(text: string): boolean {
    return this.has(text) || (this.sandboxOf(text) !== undefined && this.kept().includes(text));
  }

  values(): IterableIterator<World> {
    return this.#open.values();
  }

  /** The keys of all worlds whose keys are valid, open or kept elsewhere, in order. */
  keys(): readonly string[] {
    this.sweep();
    const kept = this.kept().filter((key) => this.sandboxOf(key) !== undefined);
    return [...new Set([...this.#open.keys(), ...kept])].sort();
  }

  /** The sandboxes of all these worlds, by name. */
  sandboxes(): readonly string[] {
    this.sweep();
    const open = [...this.#open.values()].map(({ sandbox }) => sandbox);
    const kept = this.kept().flatMap((key) => this.sandboxOf(key) ?? []);
    return [...new Set([...open, ...kept])].sort();
  }

  /** Whether either environment of a sandbox is open. */
  isOpen(sandbox: string): boolean {
    return ENVIRONMENTS.some((environment) => this.peek({ sandbox, environment }));
  }

  /** An empty world that is not listed, with clock and ids as a new one would have: to be filled before it is used. */
  draft({ sandbox, environment }: ParsedKey): World {
    const { clock, machine } = this;
    const { seed, secret } = this.settings;
    return new World({ sandbox, environment, seed, secret, clock, machine });
  }

  /**
   * Opens a world that takes over what a draft holds, of a sandbox that is made by it.
   *
   * @throws Unavailable when there are too many sandboxes
   */
  create(parsed: ParsedKey, draft: World, made: MadeSandbox): World {
    this.admit(parsed.sandbox, made);
    try {
      return this.#openWorld(parsed, draft);
    } catch (error) {
      this.#made.delete(parsed.sandbox);
      throw error;
    }
  }

  /** Registers a sandbox that was made by request: its keys are valid from now on, until its lifetime ends. */
  admit(sandbox: string, made: MadeSandbox): void {
    this.#made.set(sandbox, { made, until: this.machine() + (made.lifetime_ms ?? Infinity) });
  }

  /** Takes over which sandboxes were made by request, of those that other emulators may have open. */
  syncMade(made: ReadonlyMap<string, MadeSandbox>): void {
    const open = new Set([...this.#open.values()].map(({ sandbox }) => sandbox));
    for (const sandbox of this.#made.keys())
      if (!open.has(sandbox) && !made.has(sandbox)) this.#made.delete(sandbox);
    for (const [sandbox, each] of made) if (!open.has(sandbox)) this.admit(sandbox, each);
  }

  /** How a sandbox was made by request; undefined if it was not. */
  madeOf(sandbox: string): MadeSandbox | undefined {
    return this.#made.get(sandbox)?.made;
  }

  /** When a sandbox expires if it is not used, in milliseconds since 1970; undefined for never. */
  closesAt(sandbox: string): number | undefined {
    const { until = Infinity } = this.#made.get(sandbox) ?? {};
    return until === Infinity ? undefined : until;
  }

  /** Closes both environments of a sandbox; whether any was open. */
  close(sandbox: string, isFinal = true): boolean {
    this.#made.delete(sandbox);
    const closed = ENVIRONMENTS.map((environment) =>
      this.#close(keyOf({ sandbox, environment }), isFinal),
    );
    return closed.includes(true);
  }

  /** Drops a world that another emulator has claimed: nothing of it is changed. */
  drop(text: string): void {
    const world = this.#open.get(text);
    if (!world) return;
    this.#open.delete(text);
    this.listener.dropped(world);
  }

  #close(text: string, isFinal: boolean): boolean {
    const world = this.#open.get(text);
    if (!world) return false;
    this.#open.delete(text);
    this.listener.closed(world, isFinal);
    return true;
  }

  #isListed(text: string, sandbox: string): boolean {
    const { keys } = this.settings;
    return keys.length === 0 || keys.includes(text) || this.#made.has(sandbox);
  }

  /** Whether a sandbox has not expired. Asking counts as use, which renews its lifetime; if it has expired, it is closed. */
  #isKept(sandbox: string): boolean {
    const known = this.#made.get(sandbox);
    if (known?.made.lifetime_ms === undefined) return true;
    const now = this.machine();
    if (now >= known.until) {
      this.close(sandbox);
      return false;
    }
    known.until = now + known.made.lifetime_ms;
    return true;
  }

  /** Closes all that have expired. Called whenever worlds are looked up, so that no timer is needed. */
  sweep(): void {
    const now = this.machine();
    for (const [sandbox, { until }] of this.#made) if (now >= until) this.close(sandbox);
  }

  #openWorld(parsed: ParsedKey, draft?: World): World {
    this.sweep();
    const text = keyOf(parsed);
    const sandboxes = this.sandboxes();
    if (
      !sandboxes.includes(parsed.sandbox) &&
      sandboxes.length >= this.settings.limits.MAX_SANDBOXES
    )
      throw new Unavailable(
        `All ${this.settings.limits.MAX_SANDBOXES} sandboxes are in use. Delete some with DELETE /_emulator/sandboxes.`,
      );
    const world = this.draft(parsed);
    this.#open.set(text, world);
    try {
      this.listener.opened(world, draft);
    } catch (error) {
      this.#open.delete(text);
      throw error;
    }
    return world;
  }
}
