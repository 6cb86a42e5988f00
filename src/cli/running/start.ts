import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createLogger } from '../../config/log.ts';
import { readSettings, type Settings, SettingsError } from '../../config/settings.ts';
import { findUnsafeAccess } from '../../control/access.ts';
import { createEmulator, type Emulator } from '../../emulator.ts';
import { FixtureError } from '../../scenarios/read.ts';
import { DataError } from '../../state/data-file.ts';
import { openPersistence, type Persistence } from '../../state/persistence.ts';
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
  const { emulator, data } = await prepare(flags);
  const url = await listen(emulator, data);
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

interface Prepared {
  readonly emulator: Emulator;
  readonly data: Persistence | undefined;
}

/** Builds the emulator and opens its default world, so that a broken fixture stops the start. */
async function prepare(flags: Readonly<Record<string, string>>): Promise<Prepared> {
  try {
    const settings = readSettings(...gatherSettings(flags));
    const danger = findUnsafeAccess(settings);
    if (danger !== undefined) throw new SettingsError([danger]);
    if (settings.sandbox_fixture !== '') tryFixture(settings, settings.sandbox_fixture);
    const data = await openPersistence(settings, createLogger(settings));
    const emulator = createEmulator({ settings, data });
    emulator.worlds.find(TEST_KEY);
    return { emulator, data };
  } catch (error) {
    const isConfiguration = error instanceof SettingsError || error instanceof FixtureError;
    if (!isConfiguration && !(error instanceof DataError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(isConfiguration ? EXIT.configuration : EXIT.data);
  }
}

/** Plays a fixture that no world opens with yet, so that what is wrong with it is said now. */
function tryFixture(settings: Settings, fixture: string): void {
  const emulator = createEmulator({ settings: { ...settings, fixture, init: '' } });
  emulator.dispatcher.close();
  emulator.worlds.find(TEST_KEY);
  void emulator.close();
}

async function listen(emulator: Emulator, data: Persistence | undefined): Promise<string> {
  try {
    return await emulator.listen();
  } catch (error) {
    const { host, port } = emulator.settings;
    await data?.release();
    process.stderr.write(`Cannot listen on ${host}:${port}: ${(error as Error).message}\n`);
    return process.exit(EXIT.port);
  }
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
