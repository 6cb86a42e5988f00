import type { RequestListener } from 'node:http';
import {
  type Client,
  type ClientOptions,
  type ClientResponse,
  createClient,
} from '../client/client.ts';
import { DEFAULT_SANDBOX, tokenOf } from '../config/access.ts';
import { readSettings, SettingsError, type SettingsInput } from '../config/settings.ts';
import { omitNullish } from '../domain/fields.ts';
import { createEmulator } from '../main.ts';
import { openEmulator } from '../open-emulator.ts';
import { ASYNC_DISPOSE } from './receiver.ts';
import { createTestControls, type TestControls } from './test-controls.ts';

export interface EmbeddedOptions {
  /** Settings by name, as on the command line. By default it listens on any free port of loopback. */
  readonly settings?: SettingsInput;
  /** Name of the sandbox. Its test environment is the world of `key`. */
  readonly sandbox?: string;
  /** Returns the machine's time, in milliseconds since 1970. */
  readonly machine?: () => number;
  /** Wraps the request listener, such as to change what arrives or what is sent. */
  readonly around?: (handle: RequestListener) => RequestListener;
}

/** Initial contents of a new sandbox. It starts empty if neither is given. */
export interface SandboxSource {
  /** Name of a fixture of the library, or path of a file. */
  readonly fixture?: string;
  /** Name of another sandbox. Its test environment is copied. */
  readonly sandbox?: string;
}

/** An emulator in this process that listens on its own port. Its own controls act on the world of its key. */
export interface EmbeddedEmulator extends EmbeddedWorld, AsyncDisposable {
  /** Returns the world of another key. */
  as(key: string): EmbeddedWorld;
  /** Creates another sandbox and returns its test environment. @throws ApiError where it is open */
  sandbox(name: string, source?: SandboxSource): Promise<EmbeddedSandbox>;
  /** The base address by https, if the settings ask for it. */
  readonly httpsUrl: string | undefined;
  close(): Promise<void>;
}

/** A sandbox that shares nothing with the emulator's own. */
export interface EmbeddedSandbox extends EmbeddedWorld, AsyncDisposable {
  /** Deletes the sandbox. The next use of its key creates a new one. */
  delete(): Promise<void>;
}

/** Any free ports, and a log of defects only. */
const PRESETS = { port: 0, tls_port: 0, log_level: 'error' };

/**
 * Starts an emulator. Several emulators in one process share nothing.
 *
 * @throws SettingsError, FixtureError naming all that is wrong with a setting or a fixture
 */
export async function startEmulator(options: EmbeddedOptions = {}): Promise<EmbeddedEmulator> {
  const { sandbox = DEFAULT_SANDBOX, machine, around } = options;
  const settings = readSettings({ ...PRESETS, ...settingsOf(options) });
  const key = keyOf(sandbox);
  const emulator = await openEmulator({ settings, key, ...omitNullish({ machine, around }) });
  const url = await emulator.listen();
  const { service_name: serviceName } = emulator.settings;
  const token = tokenOf(emulator.settings);
  const as = (key: string) => embeddedWorld({ url, key, token, serviceName });
  const own = as(key);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= emulator.close();
    return closing;
  };
  return {
    ...own,
    httpsUrl: emulator.secureUrl(),
    as,
    async sandbox(name, source = {}) {
      if (source.fixture !== undefined) emulator.admitFixture(source.fixture);
      await own.client.call('createSandbox', { body: { name, ...source } });
      let isDeleted = false;
      const remove = async () => {
        await own.client.call('deleteSandbox', { query: { name, final: true } });
        isDeleted = true;
      };
      const dispose = async () => {
        if (!isDeleted) await remove();
      };
      return { ...as(keyOf(name)), delete: remove, [ASYNC_DISPOSE]: dispose };
    },
    close,
    [ASYNC_DISPOSE]: close,
  };
}

/** The key of the test environment of a sandbox. */
const keyOf = (sandbox: string): string => `key_test_${sandbox}`;

/** In JavaScript, a setting that is not inside `settings` would otherwise have no effect. */
function settingsOf({
  settings,
  sandbox: _,
  machine: __,
  around: ___,
  ...unknown
}: EmbeddedOptions) {
  const hint = 'Settings belong inside: startEmulator({ settings: { … } }).';
  const problems = Object.keys(unknown).map((name) => `Unknown option ${name}. ${hint}`);
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Returns the request listener of a new emulator, for a test client that needs no port. @throws SettingsError */
export function createHandler(settings: SettingsInput = {}): RequestListener {
  if (settings.data) throw new SettingsError(['The setting data needs startEmulator.']);
  return createEmulator({ settings: { log_level: 'error', ...settings } }).handle;
}

/** The world that a key opens in a running emulator, with test controls. */
export interface EmbeddedWorld extends TestControls {
  readonly url: string;
  readonly key: string;
  /** Environment variables for a process that calls the emulator. */
  readonly env: Readonly<Record<string, string>>;
  /** Typed client for every operation of the service and of the control API. */
  readonly client: Client;
  /** Returns the latest requests and warnings as text, to print when a test fails. */
  report(): Promise<string>;
}

function embeddedWorld(options: ClientOptions): EmbeddedWorld {
  const { url, key } = options;
  const client = createClient(options);
  return {
    url,
    key,
    env: { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key },
    client,
    report: () => reportOf(client),
    ...createTestControls(client),
  };
}

/** Formats a world for the report of a failed test: its latest requests and its warnings. */
async function reportOf(client: Client): Promise<string> {
  const [requests, { items }] = [await formatRequests(client), await client.call('listWarnings')];
  const warnings = items.map(({ kind, message }) => `warning ${kind}: ${message}`);
  return [requests, ...warnings].join('\n');
}

type LoggedRequest = ClientResponse<'listRequests'>['items'][number];

/** Maximum number of requests, and maximum number of characters of each body. */
const MAX_REQUESTS = 50;
const BODY_LENGTH = 500;

/** Formats the latest requests and responses of a world as text, oldest first. */
async function formatRequests(client: Client): Promise<string> {
  const { items, total_count } = await client.call('listRequests', {
    query: { limit: MAX_REQUESTS },
  });
  if (items.length === 0) return 'No requests.';
  const left = total_count - items.length;
  const lines = items.toReversed().flatMap(formatRequest);
  return [...(left > 0 ? [`${left} earlier ones left out.`] : []), ...lines].join('\n');
}

function formatRequest({ ordinal, method, path, query, status, ...rest }: LoggedRequest): string[] {
  const { request_body, response_body, fault } = rest;
  const address = query === undefined ? path : `${path}?${query}`;
  return [
    `${ordinal} ${method} ${address} ${status}${fault === undefined ? '' : ` (fault ${fault})`}`,
    ...(request_body === undefined ? [] : [`    > ${shorten(request_body)}`]),
    ...(response_body === undefined ? [] : [`    < ${shorten(response_body)}`]),
  ];
}

function shorten(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > BODY_LENGTH ? `${text.slice(0, BODY_LENGTH)}…` : text;
}

const NAME_LENGTH = 48;

/**
 * Returns a function that makes sandbox names from test titles. Names are the same in each run, so that a test
 * sees the same identifiers.
 */
export function sandboxNames(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const name = `t-${words.slice(0, NAME_LENGTH).replaceAll(/^-|-$/g, '')}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
}
