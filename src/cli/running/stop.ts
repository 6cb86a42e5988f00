import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { createClient } from '../../client/index.ts';
import { machineTime } from '../../config/machine-time.ts';
import { WORLD_FLAGS } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { print } from '../print.ts';
import { milliseconds } from '../readers.ts';
import { isRunning } from './npx.ts';
import { whyNotReady } from './ready.ts';

interface StopFlags {
  readonly readyFile?: string;
  readonly url: string;
  readonly key: string;
  readonly token?: string;
  /** In milliseconds. */
  readonly wait: number;
  readonly json?: boolean;
}

const PAUSE_MS = 100;

/** `billing-emulator stop`: ends an emulator, which then writes its data. */
export function addStop(program: Command): void {
  const wait = new Option('--wait <duration>', 'How long to wait until it has ended');
  const command = program
    .command('stop')
    .description('Stop an emulator, and wait until it has ended')
    .option('--ready-file <file>', 'The file that `start --ready-file` wrote, instead of a URL')
    .addOption(wait.argParser(milliseconds).default(10_000, '10s'))
    .option('--json', 'Print what was stopped as JSON')
    .action(stop);
  for (const option of WORLD_FLAGS) command.addOption(option);
}

/** @throws CommandError where no emulator is there, or it has not ended in time */
async function stop(flags: StopFlags): Promise<void> {
  const { readyFile, wait, json } = flags;
  const { url, pid } = readyFile === undefined ? await askToStop(flags) : await signal(readyFile);
  const until = machineTime() + wait;
  const isThere = async () =>
    pid === undefined ? (await whyNotReady(`${url}/readyz`)) === undefined : isRunning(pid);
  while (await isThere()) {
    if (machineTime() >= until)
      throw new CommandError(`${url} has not ended after ${wait} ms.`, EXIT.failure);
    await pause(PAUSE_MS);
  }
  print(json ? JSON.stringify({ stopped: true, url, pid }) : `Stopped ${url}.`);
}

interface Stopping {
  readonly url: string;
  /** Undefined where it may be a process of another machine. */
  readonly pid?: number;
}

async function askToStop({ url, key, token }: StopFlags): Promise<Stopping> {
  await createClient({ url, key, token }).call('stopEmulator');
  return { url: url.replace(/\/$/, '') };
}

async function signal(readyFile: string): Promise<Stopping> {
  const { url, pid } = readReadyFile(readyFile);
  // By now another process may have the number that the file of a killed emulator names.
  const problem = await whyNotReady(`${url}/readyz`);
  if (problem !== undefined)
    throw new CommandError(`${readyFile}: no emulator at ${url}: ${problem}`, EXIT.unreachable);
  process.kill(pid, 'SIGTERM');
  return { url, pid };
}

function readReadyFile(file: string): { readonly url: string; readonly pid: number } {
  try {
    const { url, pid } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof url === 'string' && Number.isSafeInteger(pid) && pid > 0) return { url, pid };
    throw new Error('expected url and pid');
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(
      `${file}: not a ready file of an emulator: ${message}`,
      EXIT.unreachable,
    );
  }
}
