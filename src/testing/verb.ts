import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** For tests: the command line as a user runs it. */
const BINARY = fileURLToPath(new URL('../../bin/billing-emulator.js', import.meta.url));

export interface RunningVerb {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly printed: { out: string; errors: string };
  /** Answers the exit code. */
  readonly ended: Promise<number>;
}

/** Starts a verb and leaves it running. */
export function startVerb(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningVerb {
  const child = spawn(process.execPath, [BINARY, ...args], { env: { ...process.env, ...env } });
  const printed = { out: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.errors += chunk.toString();
  });
  return { child, printed, ended: once(child, 'close').then(([code]) => code as number) };
}

/** Runs a verb to its end; answers its exit code and what it printed. */
export async function runVerb(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<{ code: number; out: string; errors: string }> {
  const { printed, ended } = startVerb(args, env);
  return { code: await ended, ...printed };
}
