import { vi } from 'vitest';

/** For tests: waits until a condition holds, on a slow machine too. Returns what it returned. */
export const eventually = <T>(condition: () => T | Promise<T>) =>
  vi.waitUntil(condition, { timeout: 60_000 });
