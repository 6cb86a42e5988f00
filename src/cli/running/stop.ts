import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import { machineTime } from '../../config/machine-time.ts';
import type { WorldCommand } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { flag, milliseconds } from '../flags.ts';
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

/** How often to look whether npx has ended. @units milliseconds */
const INTERVAL = 500;

/** npx runs a command in a shell. */
const SHELL = /(^|\/)(sh|dash|bash|ash|zsh|busybox)$/;

/**
 * Calls `stop` once the npx that started this process has ended: if it is killed, it cannot pass the signal on. Whoever
 * starts the emulator without npx may end before it.
 */
export function stopWithNpx(stop: () => void): void {
  if (process.env['npm_command'] !== 'exec') return;
  const parent = readProcess(process.ppid);
  const npx = parent && SHELL.test(parent.name) ? parent.parent : process.ppid;
  const timer = setInterval(() => {
    if (isRunning(npx)) return;
    clearInterval(timer);
    stop();
  }, INTERVAL);
  timer.unref();
}

interface Process {
  readonly parent: number;
  /** `Z` for one that has ended, whose parent has not noticed. */
  readonly state: string;
  readonly name: string;
}

const LINE = /^(\d+) (\S)\S* (.+)$/;

/** Undefined if there is no such process, or the system does not report it. */
function readProcess(pid: number): Process | undefined {
  try {
    const [, name, state, parent] = /\((.*)\) (\S) (\d+)/s.exec(statOf(pid)) ?? [];
    return { name: name as string, state: state as string, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** What `/proc` says of a process; elsewhere what `ps` says, in the same form. @throws Error if neither does */
function statOf(pid: number): string {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/stat`, 'utf8');
  const line = execFileSync('ps', ['-o', 'ppid=,state=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [, parent, state, name] = LINE.exec(line.trim().replaceAll(/ +/g, ' ')) ?? [];
  return `(${name}) ${state} ${parent}`;
}

/** Whether a process exists, also one of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || readProcess(pid)?.state !== 'Z';
}
