import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, RUNNING } from './parts.ts';

/**
 * Builds the changed parts before any test, because some tests start the command. All temporary files of tests are in
 * one folder, which is removed at the end; only the browser is unpacked once for all runs.
 */
export default async () => {
  await build(RUNNING);
  process.env['BROWSER_CACHE'] ??= tmpdir();
  const folder = mkdtempSync(join(tmpdir(), 'billing-emulator-tests-'));
  // Workers and the commands that they start inherit the environment; Windows has other names for it.
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
  return () => rmSync(folder, { recursive: true, maxRetries: 10 });
};
