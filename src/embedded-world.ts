import {
  type Client,
  type ClientAnswer,
  type ClientOptions,
  createClient,
} from './client/client.ts';
import { createTestControls, type TestControls } from './test-controls.ts';
import { reportOf } from './world-report.ts';

/** The world of a key of a running emulator, under a test's control. */
export interface EmbeddedWorld extends TestControls {
  readonly url: string;
  readonly key: string;
  /** Variables for a process that talks to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every operation of the service and of the control interface, typed. */
  readonly client: Client;
  /** What it was asked lately and what it accepted without effect, for a test that failed. */
  report(): Promise<string>;
  /** All that the world holds, the same for the same contents. */
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
