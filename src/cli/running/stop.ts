import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { machineTime } from '../../store/clock.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { print } from '../print.ts';
import { milliseconds } from '../readers.ts';
import { isRunning } from './npx.ts';
import { whyNotReady } from './ready.ts';

interface StopFlags {
  readonly readyFile: string;
  /** In milliseconds. */
  readonly wait: number;
  readonly json?: boolean;
}

const PAUSE_MS = 100;

/** `billing-emulator stop`: ends an emulator of this machine, which then writes its data. */
export function addStop(program: Command): void {
  program
    .command('stop')
    .description('Stop the emulator that wrote a ready file, and wait until it has ended')
    .requiredOption('--ready-file <file>', 'The file that `start --ready-file` wrote')
    .option('--wait <duration>', 'How long to wait for its end', milliseconds, 10_000)
    .option('--json', 'Print the process id as JSON')
    .action(stop);
}

/** @throws CommandError where no emulator is there, or it has not ended in time */
async function stop({ readyFile, wait, json }: StopFlags): Promise<void> {
  const { url, pid } = readReadyFile(readyFile);
  // The file of a killed emulator may name a process that is another one by now.
  const problem = await whyNotReady(`${url}/readyz`);
  if (problem !== undefined)
    throw new CommandError(`${readyFile}: no emulator at ${url}: ${problem}`, EXIT.unreachable);
  process.kill(pid, 'SIGTERM');
  const until = machineTime() + wait;
  while (isRunning(pid)) {
    if (machineTime() >= until)
      throw new CommandError(`Process ${pid} has not ended after ${wait} ms.`, EXIT.failure);
    await pause(PAUSE_MS);
  }
  print(json ? JSON.stringify({ stopped: true, pid }) : `Stopped ${url}.`);
}

function readReadyFile(file: string): { readonly url: string; readonly pid: number } {
  try {
    const { url, pid } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof url === 'string' && Number.isSafeInteger(pid) && pid > 0) return { url, pid };
    throw new Error('expected url and pid');
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(`${file}: no ready file of an emulator: ${message}`, EXIT.unreachable);
  }
}
