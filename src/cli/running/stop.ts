import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import { machineTime } from '../../config/machine-time.ts';
import type { WorldCommand } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { flag, milliseconds } from '../flags.ts';
import { isRunning } from './npx.ts';
import { whyNotReady } from './ready.ts';

const PAUSE_MS = 100;

/** `billing-emulator stop`: ends an emulator, which then writes its data. */
export const stopCommand: WorldCommand = {
  usage: 'stop',
  about: 'Stop an emulator, and wait until it has ended',
  flags: [
    flag('--ready-file <file>', 'The file that `start --ready-file` wrote, instead of a URL'),
    flag('--wait <duration>', 'How long to wait until it has ended', {
      read: milliseconds,
    }).default(10_000, '10s'),
  ],
  async run(client, { flags }) {
    const { readyFile, wait } = flags as { readonly readyFile?: string; readonly wait: number };
    const stopping =
      readyFile === undefined
        ? await askToStop(client, String(flags['url']))
        : await signal(readyFile);
    await untilEnded(stopping, wait);
    const { url, pid } = stopping;
    return { json: JSON.stringify({ stopped: true, url, pid }), text: `Stopped ${url}.` };
  },
};

/** @throws CommandError where it has not ended in time */
async function untilEnded({ url, pid }: Stopping, waitMs: number): Promise<void> {
  const until = machineTime() + waitMs;
  const isThere = async () =>
    pid === undefined ? (await whyNotReady(`${url}/readyz`)) === undefined : isRunning(pid);
  while (await isThere()) {
    if (machineTime() >= until)
      throw new CommandError(`${url} has not ended after ${waitMs} ms.`, EXIT.failure);
    await pause(PAUSE_MS);
  }
}

interface Stopping {
  readonly url: string;
  /** Undefined where it may be a process of another machine. */
  readonly pid?: number;
}

async function askToStop(client: Client, url: string): Promise<Stopping> {
  await client.call('stopEmulator');
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
