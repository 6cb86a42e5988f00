import { onTestFinished } from 'vitest';

/** For tests: what a test has opened, which is closed when the test has ended. */
export function closedAfterTest<T extends { close(): unknown }>(opened: T): T {
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}
