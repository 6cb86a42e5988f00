import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

const BINARY = fileURLToPath(new URL('../../bin/billing-emulator.js', import.meta.url));

/** Starts a command of this package, such as `contract list`, as a separate process. */
export function startCli(
  line: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const { VITEST: _, VITEST_POOL_ID: __, NODE_ENV: ___, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  const child = spawn(process.execPath, [BINARY, ...line], { env });
  /** The output so far; `all` in order of arrival. */
  const printed = { out: '', errors: '', all: '' };
  const keep = (name: 'out' | 'errors') => (chunk: Buffer) => {
    printed[name] += chunk.toString();
    printed.all += chunk.toString();
  };
  child.stdout.on('data', keep('out'));
  child.stderr.on('data', keep('errors'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, printed, ended };
}

/** Runs a `contract` command. Returns its exit code and output. */
export async function runCli(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const { printed, ended } = startCli(['contract', ...args], variables);
  return { code: await ended, output: printed.all };
}

/**
 * Runs `proxy` or `twin` in front of an upstream while `use` sends requests to it. Returns its exit code and its
 * output.
 */
export async function standBetween(
  command: 'proxy' | 'twin',
  upstream: string,
  use: (url: string) => unknown,
  flags: readonly string[] = [],
) {
  const { child, printed, ended } = startCli([
    command,
    '--upstream',
    upstream,
    '--port',
    '0',
    ...flags,
  ]);
  const linesOf = () =>
    printed.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const { url } = await vi.waitUntil(() => linesOf()[0], { timeout: 60_000 });
  await use(url);
  child.kill('SIGTERM');
  const code = await ended;
  const lines = linesOf();
  const findings = lines.filter(({ kind }) => !['listening', 'end'].includes(kind));
  const { out, errors, all } = printed;
  return { code, lines, findings, end: lines.at(-1), out, errors, all };
}
