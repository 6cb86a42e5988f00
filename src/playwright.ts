import { test as base } from '@playwright/test';
import {
  type EmbeddedEmulator,
  type EmbeddedSandbox,
  sandboxNames,
  startEmulator,
} from './embed/embedded.ts';

export { expect } from '@playwright/test';

const nameFor = sandboxNames();

/**
 * Playwright's `test` with a `sandbox` for each test, in an emulator that its worker shares. When a test fails,
 * its requests and warnings are printed and attached to its report.
 */
export const test = base.extend<{ sandbox: EmbeddedSandbox }, { emulator: EmbeddedEmulator }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      await using emulator = await startEmulator({ settings: { fixture: '' } });
      await use(emulator);
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ emulator }, use, info) => {
    const sandbox = await emulator.sandbox(nameFor(info.title));
    await use(sandbox);
    if (info.status !== info.expectedStatus) {
      const body = `Requests of "${info.title}" (${sandbox.key}):\n${await sandbox.report()}`;
      console.error(body);
      await info.attach('billing-emulator', { body, contentType: 'text/plain' });
    }
    await sandbox.delete();
  },
});
