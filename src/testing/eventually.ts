import { vi } from 'vitest';

/** What a document promises within a second or two may take a slow machine this long. @units milliseconds */
export const SOON = 15_000;

/** For tests: waits until a condition holds, on a slow machine too. Returns what it returned. */
export const eventually = <T>(condition: () => T | Promise<T>, timeout = 60_000) =>
  vi.waitUntil(condition, { timeout });
