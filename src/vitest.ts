import { test as base } from 'vitest';
import { type EmbeddedEmulator, type EmbeddedSandbox, startEmulator } from './embedded.ts';
import { formatRequests } from './format-requests.ts';

/** What a test gets: a sandbox of its own in an emulator that the file shares. */
export type Sandbox = EmbeddedSandbox;

const names = new Map<string, number>();

/**
 * Vitest's `test` with a `sandbox` for each test, so that tests run side by side and never meet. When a test
 * fails, the requests to its sandbox are printed.
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
        console.error(
          `Requests of "${task.name}" (${sandbox.key}):\n${await formatRequests(sandbox.client)}`,
        );
      await sandbox.delete();
    });
    await use(sandbox);
  },
});

const NAME_LENGTH = 48;

/** The same name in each run, so that a test sees the same identifiers each time. */
function nameFor(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const name = `t-${words.slice(0, NAME_LENGTH).replaceAll(/^-|-$/g, '')}`;
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  return count === 1 ? name : `${name}-${count}`;
}
