import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BINARY = fileURLToPath(new URL('../../../bin/billing-emulator.js', import.meta.url));

interface RunningCli {
  readonly child: ChildProcess;
  /** What it has printed so far, `all` in the order of its arrival. */
  readonly printed: { out: string; errors: string; all: string };
  /** Answers the exit code. */
  readonly ended: Promise<number | null>;
}

export interface CliResult {
  readonly code: number | null;
  readonly output: string;
}

/** Starts a verb of this package, such as `contract list`, as a process of its own. */
export function startCli(
  line: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): RunningCli {
  const { VITEST: _, VITEST_POOL_ID: __, NODE_ENV: ___, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  const child = spawn(process.execPath, [BINARY, ...line], { env });
  const printed = { out: '', errors: '', all: '' };
  const keep = (name: 'out' | 'errors') => (chunk: Buffer) => {
    printed[name] += chunk.toString();
    printed.all += chunk.toString();
  };
  child.stdout.on('data', keep('out'));
  child.stderr.on('data', keep('errors'));
  return { child, printed, ended: new Promise((resolve) => child.on('close', resolve)) };
}

/** Runs `contract` to its end. */
export async function runCli(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const { printed, ended } = startCli(['contract', ...args], variables);
  return { code: await ended, output: printed.all };
}
