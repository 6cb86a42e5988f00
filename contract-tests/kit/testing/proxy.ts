import { vi } from 'vitest';
import { startCli } from './cli.ts';

/** Runs `proxy` before an upstream; answers what it printed and how it ended. */
export async function throughProxy(
  upstream: string,
  use: (url: string) => Promise<void>,
  flags: readonly string[] = [],
) {
  const { child, printed, ended } = startCli([
    ...['proxy', '--upstream', upstream, '--port', '0'],
    ...flags,
  ]);
  const linesOf = () =>
    printed.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const { url } = await vi.waitUntil(() => linesOf()[0], { timeout: 30_000 });
  await use(url);
  child.kill('SIGTERM');
  const code = await ended;
  const findings = linesOf().filter(({ kind }) => !['listening', 'end'].includes(kind));
  return { code, findings, end: linesOf().at(-1), out: printed.out, errors: printed.errors };
}
