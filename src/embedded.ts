import type { RequestListener } from 'node:http';
import { type ControlClient, controlClient } from './control-client.ts';
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

/** An emulator in this process, answering on a port of its own. */
export interface EmbeddedEmulator extends AsyncDisposable {
  readonly url: string;
  /** Key of the test environment. */
  readonly key: string;
  /** Variables for a process that talks to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every operation of the control interface, typed. */
  readonly control: ControlClient;
  /** The same with the key of another world. */
  as(key: string): ControlClient;
  /** Moves the clock and answers when all that fell due is done, deliveries included. */
  advance(by: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts an emulator. Several in one process share nothing. */
export async function startEmulator(options: EmbeddedOptions = {}): Promise<EmbeddedEmulator> {
  const { settings, sandbox = DEFAULT_SANDBOX, machine } = options;
  const emulator = createEmulator({
    settings: { port: 0, log_level: 'error', ...settings },
    ...(machine && { machine }),
  });
  const url = await emulator.listen();
  const key = `key_test_${sandbox}`;
  const token = emulator.settings.admin_token;
  const as = (other: string) => controlClient({ url, key: other, token });
  const control = as(key);
  const close = () => emulator.close();
  return {
    url,
    key,
    env: { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key },
    control,
    as,
    advance: (by) => control.call('advanceClock', { body: { by } }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A request listener of a fresh emulator, for a test client that needs no port. */
export function createHandler(settings: GivenSettings = {}): RequestListener {
  return createEmulator({ settings: { log_level: 'error', ...settings } }).handle;
}
