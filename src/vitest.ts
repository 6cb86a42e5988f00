import { test as base } from 'vitest';
import { type EmbeddedEmulator, type EmbeddedSandbox, startEmulator } from './embedded.ts';
import { sandboxNames } from './sandbox-names.ts';

/** What a test gets: a sandbox of its own in an emulator that the file shares. */
export type Sandbox = EmbeddedSandbox;

const nameFor = sandboxNames();

/**
 * Vitest's `test` with a `sandbox` for each test, so that tests run side by side and never meet. When a test
 * fails, the requests to its sandbox and its warnings are printed.
 */
export const test = base.extend<{ emulator: EmbeddedEmulator; sandbox: Sandbox }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
    async ({}, use) => {
      await using emulator = await startEmulator({ settings: { fixture: '' } });
      await use(emulator);
    },
    { scope: 'file' },
  ],
  sandbox: async ({ emulator, task, onTestFinished }, use) => {
    const sandbox = await emulator.sandbox(nameFor(task.name));
    onTestFinished(async () => {
      if (task.result?.state === 'fail')
        console.error(`Requests of "${task.name}" (${sandbox.key}):\n${await sandbox.report()}`);
      await sandbox.delete();
    });
    await use(sandbox);
  },
});
