import { rmSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  DEFAULT_KEY,
  DEFAULT_SANDBOX,
  findUnsafeAccess,
  isLoopback,
  NO_TOKEN,
} from '../../config/access.ts';
import { isDatabase } from '../../config/database-address.ts';
import { readSettings, type Settings, SettingsError } from '../../config/settings.ts';
import { answerStarting } from '../../http/fallback.ts';
import { listenOn, openable } from '../../http/server.ts';
import { createEmulator, type Emulator } from '../../main.ts';
import { openEmulator } from '../../open-emulator.ts';
import { headerNames } from '../../spec/header-names.ts';
import { refuseUnknownCommands } from '../command.ts';
import { EXIT, reportFailure } from '../failure.ts';
import { print, printError } from '../print.ts';
import { stopWithNpx } from './npx.ts';
import { addSettingFlags, gatherSettings } from './setting-flags.ts';

/** The world of the key that is printed. */
const DEFAULT_WORLD = { sandbox: DEFAULT_SANDBOX, environment: 'test' } as const;
const LIVE_KEY = `key_live_${DEFAULT_SANDBOX}`;

/** `billing-emulator start`: runs the emulator until it is stopped. */
export function addStart(program: Command): void {
  const command = program
    .command('start', { isDefault: true })
    .description('Start the emulator; also without the word start')
    .option(
      '--ready-file <file>',
      'Write url, pid and keys to this JSON file once ready; removed on exit',
    )
    .option('--json', 'Print url, pid and keys as JSON');
  addSettingFlags(command).action((flags: Record<string, string>) => start(flags));
  refuseUnknownCommands(program, command);
}

async function start(flags: Readonly<Record<string, string>>): Promise<void> {
  const { readyFile } = flags;
  // That of a killed process describes an emulator that no longer runs.
  if (readyFile !== undefined) rmSync(readyFile, { force: true });
  // Whoever reads what it prints may be gone. Other commands end then.
  process.stdout.removeAllListeners('error').on('error', () => {});
  const running = stopOnSignals(readyFile);
  const { emulator, server } = await openServedEmulator(flags, running.stop);
  running.emulator = emulator;
  const url = await emulator.listen(server);
  const ready = {
    url,
    https_url: emulator.secureUrl(),
    pid: process.pid,
    keys: { test: DEFAULT_KEY, live: LIVE_KEY },
  };
  if (readyFile !== undefined) await writeReady(readyFile, ready, emulator);
  if (flags['json']) print(JSON.stringify(ready));
  else print(bannerOf(url, emulator));
}

/** Writes the ready file. If it cannot be written, the start fails. @throws Error of the system */
async function writeReady(file: string, ready: object, emulator: Emulator): Promise<void> {
  try {
    writeFileSync(file, `${JSON.stringify(ready)}\n`);
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

/**
 * Opens the emulator with its default world, so that a broken fixture stops the start. If there is a data file, it also
 * returns the server that reports "not ready" while the file is read.
 *
 * @throws SettingsError, FixtureError, DataError
 */
async function openServedEmulator(flags: Readonly<Record<string, string>>, stop: () => void) {
  const settings = readSettings(...gatherSettings(flags));
  // The list of processes shows no password.
  if (isDatabase(settings.data)) process.title = 'billing-emulator';
  const danger = findUnsafeAccess(settings);
  if (danger !== undefined) throw new SettingsError([danger]);
  if (settings.sandbox_fixture !== '') tryFixtures(settings, [settings.sandbox_fixture]);
  const server = settings.data === '' ? undefined : await listenOn(answerStarting, settings);
  const opening = { settings, stop, key: DEFAULT_KEY, mayWait: true, onLost: reportFailure };
  return { emulator: await openEmulator(opening), server };
}

/** Runs fixtures in a world of their own, so that their errors are reported now. @throws FixtureError */
export function tryFixtures(settings: Settings, fixture: readonly string[]): void {
  const emulator = createEmulator({ settings: { ...settings, fixture } });
  emulator.dispatcher.close();
  emulator.worlds.find(DEFAULT_KEY);
  void emulator.close();
}

/**
 * Stops on a signal: at once while the data file is being loaded, as all in it is on disk, later once all is written.
 * A second signal, such as the one that npm passes on, must not cut that short.
 */
function stopOnSignals(readyFile: string | undefined) {
  let isStopping = false;
  const running: { emulator?: Emulator; readonly stop: () => void } = { stop };
  function stop(): void {
    const { emulator } = running;
    if (isStopping) {
      if (emulator?.settings.data) printError('Still writing the data.');
      return;
    }
    isStopping = true;
    if (readyFile !== undefined) rmSync(readyFile, { force: true });
    if (!emulator) process.exit(0);
    void emulator.close().then(
      () => process.exit(0),
      (error: Error) => {
        printError(error.message);
        process.exit(EXIT.data);
      },
    );
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  stopWithNpx(stop);
  return running;
}

/** The text printed once requests are served: URL, key, pages, and a command to try. */
function bannerOf(bound: string, { settings, worlds, secureUrl }: Emulator): string {
  const url = openable(bound);
  const secure = secureUrl();
  const { apiKey } = headerNames(settings.service_name);
  const header = `(header ${apiKey}, or Authorization: Bearer)`;
  const isOpen = settings.keys.length === 0;
  const lines = [`billing-emulator is ready at ${url}`, ''];
  if (isOpen)
    lines.push(
      `  key     ${DEFAULT_KEY}  ${header}`,
      '  others  any key_test_<name> or key_live_<name> has its own world',
    );
  else lines.push(`  keys    those of the setting keys  ${header}`);
  if (secure !== undefined)
    lines.push(`  https   ${openable(secure)}${settings.tls === 'self-signed' ? AUTHORITY : ''}`);
  if (settings.ui !== 'off')
    lines.push(`  browse  ${url}/_emulator/ui  (API reference: /_emulator/docs)`);
  if (settings.admin_token === NO_TOKEN && !isLoopback(settings.host))
    lines.push(
      '  access  admin_token is none: anyone who can reach this port controls the emulator',
    );
  if (isOpen && settings.fixture.includes('quickstart'))
    lines.push('', ...firstFee(url, worlds.peek(DEFAULT_WORLD)));
  return `${lines.join('\n')}\n`;
}

const AUTHORITY = '  (clients trust it by the authority at /_emulator/ca.pem)';

/** Commands for a first fee. A clock that is not real may show another time than the machine. */
function firstFee(url: string, world: ReturnType<Emulator['worlds']['peek']>): readonly string[] {
  const isReal = world === undefined || world.clock.state.mode === 'real';
  const occurredAt = isReal ? "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'" : world.now;
  return [
    'Price a usage event and see its fee:',
    '',
    `  curl -X POST ${url}/events -H "Authorization: Bearer ${DEFAULT_KEY}" \\`,
    `    -H 'Content-Type: application/json' -d '{"customer_external_id": "acme", "events": [{`,
    `    "id": "68e8980c-fd79-46ea-be14-0e9f2be7df0a", "event_type": "llm.completion",`,
    `    "occurred_at": "${occurredAt}", "data": {"model": "large", "tokens": 417000}}]}'`,
    '',
    `  curl -H "Authorization: Bearer ${DEFAULT_KEY}" ${url}/events/68e8980c-fd79-46ea-be14-0e9f2be7df0a`,
  ];
}
