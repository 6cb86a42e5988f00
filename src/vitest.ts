import { test as base } from 'vitest';
import type { ControlClient } from './control-client.ts';
import { type EmbeddedEmulator, startEmulator } from './embedded.ts';

/** What a test gets: an emulator that the file shares, and a sandbox of its own. */
export interface Sandbox {
  readonly url: string;
  /** Key that no other test has. */
  readonly key: string;
  readonly control: ControlClient;
}

let emulator: Promise<EmbeddedEmulator> | undefined;
let last = 0;

/** Vitest's `test` with a `sandbox` for each test, so that tests run side by side and never meet. */
export const test = base.extend<{ sandbox: Sandbox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
  sandbox: async ({}, use) => {
    emulator ??= startEmulator({ settings: { fixture: '' } });
    const { url, as } = await emulator;
    last += 1;
    const key = `key_test_t${process.pid}-${last}`;
    await use({ url, key, control: as(key) });
  },
});
