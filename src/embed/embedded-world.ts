import {
  type Client,
  type ClientAnswer,
  type ClientOptions,
  createClient,
} from '../client/client.ts';
import { createTestControls, type TestControls } from './test-controls.ts';
import { reportOf } from './world-report.ts';

/** The world that a key opens in a running emulator, with test controls. */
export interface EmbeddedWorld extends TestControls {
  readonly url: string;
  readonly key: string;
  /** Environment variables for a process that calls the emulator. */
  readonly env: Readonly<Record<string, string>>;
  /** Typed client for every operation of the service and of the control interface. */
  readonly client: Client;
  /** Returns the latest requests and warnings as text, to print when a test fails. */
  report(): Promise<string>;
  /** Returns everything that the world holds. Equal worlds give equal exports. */
  export(): Promise<ClientAnswer<'exportWorld'>>;
}

export function embeddedWorld(options: ClientOptions): EmbeddedWorld {
  const { url, key } = options;
  const client = createClient(options);
  return {
    url,
    key,
    env: { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key },
    client,
    report: () => reportOf(client),
    export: () => client.call('exportWorld'),
    ...createTestControls(client),
  };
}
