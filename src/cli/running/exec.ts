import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { createClient } from '../../client/index.ts';
import { DEFAULT_KEY } from '../../config/access.ts';
import { readSettings, SettingsError } from '../../config/settings.ts';
import { createEmulator, type Emulator } from '../../main.ts';
import { httpUrl } from '../flags.ts';
import { printError } from '../print.ts';
import { addSettingFlags, gatherSettings } from './setting-flags.ts';

const NOT_FOUND = 127;
const BY_SIGNAL = 128;

/** `billing-emulator exec -- CMD`: runs a new emulator while a command runs. */
export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .description('Run a command with a fresh emulator on a free port; exits with its exit code')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--webhook-url <url>', 'Register this webhook receiver and export its secret', httpUrl)
    .passThroughOptions();
  addSettingFlags(command, ['fixture', 'clock', 'clock_now']).action(exec);
}

async function exec(words: readonly string[], flags: Readonly<Record<string, string>>) {
  const emulator = createFreshEmulator(flags);
  const url = await emulator.listen();
  const secure = emulator.secureUrl();
  const secret =
    flags['webhookUrl'] && (await registerReceiver(flags['webhookUrl'], url, emulator));
  const code = await runChild(words, {
    BILLING_EMULATOR_URL: url,
    BILLING_EMULATOR_KEY: DEFAULT_KEY,
    ...(secure !== undefined && { BILLING_EMULATOR_HTTPS_URL: secure }),
    ...(secret && { BILLING_EMULATOR_WEBHOOK_SECRET: secret }),
  });
  await emulator.close();
  process.exit(code);
}

/** @throws SettingsError, FixtureError */
function createFreshEmulator(flags: Readonly<Record<string, string>>): Emulator {
  const settings = readSettings(...gatherSettings(flags), {
    port: 0,
    tls_port: 0,
    log_level: 'error',
  });
  if (settings.data !== '')
    throw new SettingsError([
      'Expected no setting data: exec starts with new worlds and keeps nothing.',
    ]);
  const emulator = createEmulator({ settings });
  if (emulator.worlds.find(DEFAULT_KEY)) return emulator;
  throw new SettingsError([`Expected keys to contain ${DEFAULT_KEY}, which the command receives.`]);
}

/** Registers a webhook destination that survives a reset. Returns its secret. @throws ApiError */
async function registerReceiver(
  receiver: string,
  url: string,
  emulator: Emulator,
): Promise<string> {
  const body = { url: receiver };
  const { secret } = await createClient({ url, key: DEFAULT_KEY }).call('createWebhook', { body });
  emulator.markOrigin(DEFAULT_KEY);
  return secret;
}

/** Returns the exit code of the child, or the shell's code for a child ended by a signal. */
function runChild(
  [command = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, ...env } });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
    child.once('error', (error) => {
      printError(`${command}: ${error.message}`);
      resolve(NOT_FOUND);
    });
    child.once('exit', (code, signal) =>
      resolve(code ?? BY_SIGNAL + constants.signals[signal as NodeJS.Signals]),
    );
  });
}
