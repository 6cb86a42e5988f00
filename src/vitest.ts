import { test as base } from 'vitest';
import {
  type EmbeddedEmulator,
  type EmbeddedSandbox,
  sandboxNames,
  startEmulator,
} from './embed/embedded.ts';

/** What a test gets: its own sandbox in an emulator that all tests of the file share. */
export type Sandbox = EmbeddedSandbox;

const nameFor = sandboxNames();

/**
 * Vitest's `test` with a `sandbox` for each test, so that parallel tests do not affect each other. When a test
 * fails, its requests and warnings are printed.
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
