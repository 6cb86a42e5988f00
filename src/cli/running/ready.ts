import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { describeCause } from '../../client/errors.ts';
import { machineTime } from '../../config/machine-time.ts';
import { CommandError, EXIT } from '../failure.ts';
import { httpUrl, milliseconds } from '../flags.ts';
import { print } from '../print.ts';

/** Timeout of one request, and pause before the next. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 100;

interface ReadyFlags {
  readonly url?: string;
  /** In milliseconds. */
  readonly wait: number;
  readonly json?: boolean;
}

/** `billing-emulator ready`: whether an emulator is ready, for health checks and scripts. */
export function addReady(program: Command): void {
  program
    .command('ready')
    .description('Exit with 0 if an emulator is ready, with 6 if not')
    .option(
      '--url <url>',
      'URL of the emulator (default: BILLING_EMULATOR_URL, or port 24100 of this machine)',
      httpUrl,
    )
    .option('--json', 'Print the URL as JSON')
    .option('--wait <duration>', 'How long to wait for it, such as 30s', milliseconds, 0)
    .action(waitUntilReady);
}

/** @throws CommandError when the time is up */
async function waitUntilReady(flags: ReadyFlags): Promise<void> {
  const address = `${(flags.url ?? ownAddress()).replace(/\/$/, '')}/readyz`;
  const until = machineTime() + flags.wait;
  for (
    let problem = await whyNotReady(address);
    problem !== undefined;
    problem = await whyNotReady(address)
  ) {
    if (machineTime() >= until) throw new CommandError(`${address}: ${problem}`, EXIT.unreachable);
    await pause(PAUSE_MS);
  }
  if (flags.json) print(JSON.stringify({ ready: true, url: address }));
}

function ownAddress(): string {
  const { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_PORT: port = '24100' } = process.env;
  return url ?? `http://127.0.0.1:${port}`;
}

/** Returns why the emulator is not ready, or undefined if it is. */
export async function whyNotReady(address: string): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return ok ? undefined : `responded ${status}`;
  } catch (error) {
    return describeCause(error as Error);
  }
}
