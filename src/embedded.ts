import type { RequestListener } from 'node:http';
import { type EmbeddedWorld, embeddedWorld } from './embedded-world.ts';
import { createEmulator, type EmulatorOptions } from './emulator.ts';
import type { GivenSettings } from './state/settings.ts';
import { DEFAULT_SANDBOX } from './state/worlds.ts';

export interface EmbeddedOptions {
  /** Settings by name, as flags give them; any free port of loopback unless they say otherwise. */
  readonly settings?: GivenSettings;
  /** Sandbox whose test environment `key` opens. */
  readonly sandbox?: string;
  readonly machine?: EmulatorOptions['machine'];
}

/** What a new sandbox is filled with; nothing where it is not told. */
export interface SandboxSource {
  /** Name of a fixture of the library. */
  readonly fixture?: string;
  /** Another sandbox, whose test environment is copied. */
  readonly sandbox?: string;
}

/** An emulator in this process, answering on a port of its own; steered in the world of its key. */
export interface EmbeddedEmulator extends EmbeddedWorld, AsyncDisposable {
  /** The world of another key. */
  as(key: string): EmbeddedWorld;
  /** Opens the test environment of another sandbox. @throws ControlError where it is open */
  sandbox(name: string, source?: SandboxSource): Promise<EmbeddedSandbox>;
  close(): Promise<void>;
}

/** A sandbox beside the emulator's own, with nothing shared. */
export interface EmbeddedSandbox extends EmbeddedWorld, AsyncDisposable {
  /** Forgets it; its key opens it anew. */
  delete(): Promise<void>;
}

/** Starts an emulator. Several in one process share nothing. */
export async function startEmulator(options: EmbeddedOptions = {}): Promise<EmbeddedEmulator> {
  const { settings, sandbox = DEFAULT_SANDBOX, machine } = options;
  const emulator = createEmulator({
    settings: { port: 0, log_level: 'error', ...settings },
    ...(machine && { machine }),
  });
  const url = await emulator.listen();
  const token = emulator.settings.admin_token;
  const as = (key: string) => embeddedWorld({ url, key, token });
  const worldOf = (name: string) => as(`key_test_${name}`);
  const own = worldOf(sandbox);
  const close = () => emulator.close();
  return {
    ...own,
    as,
    async sandbox(name, source = {}) {
      await own.control.call('createSandbox', { body: { name, ...source } });
      const remove = async () => {
        await own.control.call('deleteSandbox', { query: { name } });
      };
      return { ...worldOf(name), delete: remove, [Symbol.asyncDispose]: remove };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A request listener of a fresh emulator, for a test client that needs no port. */
export function createHandler(settings: GivenSettings = {}): RequestListener {
  return createEmulator({ settings: { log_level: 'error', ...settings } }).handle;
}
