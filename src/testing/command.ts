import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, vi } from 'vitest';
import { reportFailure } from '../cli/failure.ts';
import { createProgram } from '../cli/program.ts';
import type { GivenSettings } from '../config/settings.ts';
import { createEmulator } from '../main.ts';

/** For tests: the command line as a user runs it. */
export const BINARY = fileURLToPath(new URL('../../bin/billing-emulator.js', import.meta.url));

export type RunningCommand = ReturnType<typeof startCommand>;

/** Starts a command and leaves it running. Returns the output so far as `printed`, and the exit code as `ended`. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
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

/** Runs a command to its end. Returns its exit code and output. */
export async function runCommand(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const { printed, ended } = startCommand(args, env);
  return { code: await ended, ...printed };
}

/** Runs a command to its end while this process waits. */
export const spawnCommand = (args: readonly string[], options: SpawnSyncOptions = {}) =>
  spawnSync(process.execPath, [BINARY, ...args], { ...options, encoding: 'utf8' });

/** Thrown for `process.exit`. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`Exit with ${code}`);
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Runs a command to its end in this process, one at a time. */
export function performCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const turn = last.then(() => perform(args, env));
  last = turn.catch(() => {});
  return turn;
}

async function perform(args: readonly string[], env: Readonly<Record<string, string>>) {
  const printed = { out: '', errors: '' };
  const keep = (name: keyof typeof printed) => (text: string | Uint8Array) => {
    printed[name] += text.toString();
    return true;
  };
  const replaced = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('errors')),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Exit(Number(code ?? 0));
    }),
  ];
  const inherited = process.env;
  process.env = { ...inherited, ...env };
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    return { code: await codeOf(['node', 'billing-emulator', ...args]), ...printed };
  } finally {
    process.exitCode = exitCode;
    process.env = inherited;
    for (const each of replaced) each.mockRestore();
  }
}

async function codeOf(line: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(line).catch(reportUnlessExit);
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
  return Number(process.exitCode ?? 0);
}

function reportUnlessExit(error: unknown): never {
  if (error instanceof Exit) throw error;
  return reportFailure(error);
}

/** For tests: an emulator that listens on a free port while a test file runs, and its address. */
export async function serveForFile(settings: GivenSettings = {}) {
  const emulator = createEmulator({ settings: { port: 0, log_level: 'silent', ...settings } });
  afterAll(() => emulator.close());
  return { emulator, url: await emulator.listen() };
}
