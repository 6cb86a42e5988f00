import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import type { ProxyCounts } from './report.ts';

const EXIT = { failure: 1, port: 5, unreachable: 6 } as const;

interface Flags {
  readonly upstream: string;
  readonly bind: string;
  readonly port: number;
  readonly closed?: boolean;
  readonly assumptions: 'observe' | 'insist';
}

/** `billing-emulator proxy`: stands before a service and reports what breaks the interface document. */
export function addProxy(program: Command): void {
  program
    .command('proxy')
    .description('Pass requests on to a service until stopped: print what breaks its specification')
    .requiredOption('--upstream <url>', 'Address of the service', url)
    .option('--bind <host>', 'Address to listen on', '127.0.0.1')
    .option('--port <number>', 'Port to listen on; 0 takes any free one', port, 24_101)
    .option('--closed', 'Report fields of answers that the document does not name')
    .option(
      '--assumptions <mode>',
      'Whether refuted assumptions fail: observe or insist',
      mode,
      'observe',
    )
    .action(proxy);
}

async function proxy(flags: Flags): Promise<void> {
  const { createTrafficServer } = await import('./traffic.ts');
  const { createProxyReport } = await import('./report.ts');
  const report = createProxyReport({ isClosed: flags.closed === true, print });
  const server = createTrafficServer(new URL(flags.upstream), report);
  server.once('error', (error) => {
    process.stderr.write(`Cannot listen on ${flags.bind}:${flags.port}: ${error.message}\n`);
    process.exit(EXIT.port);
  });
  const stopped = untilStopped();
  server.listen(flags.port, flags.bind, () => {
    const { port: taken } = server.address() as AddressInfo;
    const host = flags.bind.includes(':') ? `[${flags.bind}]` : flags.bind;
    print({
      kind: 'listening',
      url: `http://${host}:${taken}`,
      upstream: new URL(flags.upstream).origin,
    });
  });
  await stopped;
  await closed(server);
  const counts = await report.end();
  print({ kind: 'end', ...counts });
  process.exitCode = exitCodeOf(counts, flags);
}

function exitCodeOf(
  { violations, refuted, unreachable }: ProxyCounts,
  { assumptions }: Flags,
): number {
  if (violations > 0 || (assumptions === 'insist' && refuted > 0)) return EXIT.failure;
  return unreachable > 0 ? EXIT.unreachable : 0;
}

function print(record: object): void {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
}

/** How long what is under way may take to end. @units milliseconds */
const GRACE = 2_000;

function closed(server: import('node:http').Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), GRACE);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function url(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError('Expected an http or https address.');
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}

function mode(text: string): string {
  if (text === 'observe' || text === 'insist') return text;
  throw new InvalidArgumentError('Expected observe or insist.');
}
