import { afterAll } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import { createEmulator } from '../../main.ts';

/** For tests: an emulator that listens on a free port while a test file runs, and its address. */
export async function serveForFile(settings: GivenSettings = {}) {
  const emulator = createEmulator({ settings: { port: 0, log_level: 'silent', ...settings } });
  afterAll(() => emulator.close());
  return { emulator, url: await emulator.listen() };
}
