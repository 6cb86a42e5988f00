import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createLogger } from '../../config/log.ts';
import { readSettings, type Settings, SettingsError } from '../../config/settings.ts';
import { findUnsafeAccess } from '../../control/access.ts';
import { createEmulator, type Emulator } from '../../emulator.ts';
import { openPersistence } from '../../state/storage/open-persistence.ts';
import { DEFAULT_SANDBOX } from '../../state/worlds.ts';
import { EXIT } from '../exit-codes.ts';
import { bannerOf } from './banner.ts';
import { addSettingFlags, gatherSettings } from './setting-flags.ts';

const TEST_KEY = `key_test_${DEFAULT_SANDBOX}`;
const LIVE_KEY = `key_live_${DEFAULT_SANDBOX}`;

/** `billing-emulator start`: serves the emulator until it is told to stop. */
export function addStart(program: Command): void {
  const command = program
    .command('start')
    .description('Serve the emulator')
    .option(
      '--ready-file <file>',
      'JSON file with url, pid and keys, written when requests are answered',
    );
  addSettingFlags(command).action((flags: Record<string, string>) => start(flags));
}

async function start(flags: Readonly<Record<string, string>>): Promise<void> {
  const emulator = await createServedEmulator(flags);
  const url = await emulator.listen();
  stopOnSignals(emulator);
  const ready = { url, pid: process.pid, keys: { test: TEST_KEY, live: LIVE_KEY } };
  if (flags['readyFile'] !== undefined) await writeReady(flags['readyFile'], ready, emulator);
  process.stdout.write(bannerOf({ url, key: TEST_KEY, settings: emulator.settings }));
}

/** Tells whoever waits for the file. One that cannot be written ends the start. */
async function writeReady(file: string, ready: object, emulator: Emulator): Promise<void> {
  try {
    writeFileSync(file, `${JSON.stringify(ready)}\n`);
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

/**
 * Builds the emulator and opens its default world, so that a broken fixture stops the start.
 *
 * @throws SettingsError, FixtureError, DataError
 */
async function createServedEmulator(flags: Readonly<Record<string, string>>): Promise<Emulator> {
  const settings = readSettings(...gatherSettings(flags));
  const danger = findUnsafeAccess(settings);
  if (danger !== undefined) throw new SettingsError([danger]);
  if (settings.sandbox_fixture !== '') tryFixture(settings, settings.sandbox_fixture);
  const data = await openPersistence(settings, createLogger(settings));
  const emulator = createEmulator({ settings, data });
  emulator.worlds.find(TEST_KEY);
  return emulator;
}

/** Plays a fixture that no world opens with yet, so that what is wrong with it is said now. */
function tryFixture(settings: Settings, fixture: string): void {
  const emulator = createEmulator({ settings: { ...settings, fixture, init: '' } });
  emulator.dispatcher.close();
  emulator.worlds.find(TEST_KEY);
  void emulator.close();
}

function stopOnSignals(emulator: Emulator): void {
  const stop = () =>
    void emulator.close().then(
      () => process.exit(0),
      (error: Error) => {
        process.stderr.write(`${error.message}\n`);
        process.exit(EXIT.data);
      },
    );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
}
