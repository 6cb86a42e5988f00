import { vi } from 'vitest';
import { startCli } from './cli.ts';

/**
 * Runs `proxy` or `twin` in front of an upstream while `use` sends requests to it. Returns its exit code and its
 * output.
 */
export async function standBetween(
  verb: 'proxy' | 'twin',
  upstream: string,
  use: (url: string) => unknown,
  flags: readonly string[] = [],
) {
  const { child, printed, ended } = startCli([
    ...[verb, '--upstream', upstream, '--port', '0'],
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
