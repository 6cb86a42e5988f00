import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { printable } from 'billing-emulator/spec';
import type { Command } from 'commander';
import { httpUrl, port } from '../kit/run/flag-values.ts';
import { createTrafficServer, type TrafficListeners } from './traffic.ts';

/** Exit codes of the commands `proxy` and `twin`. */
export const EXIT = { failure: 1, port: 5, unreachable: 6 } as const;

/** Where the command listens, and the upstream service. */
export interface ServingFlags {
  readonly upstream: string;
  readonly bind: string;
  readonly port: number;
}

export function addServingFlags(command: Command, preset: number): Command {
  return command
    .requiredOption('--upstream <url>', 'URL of the service', httpUrl)
    .option('--bind <host>', 'Address to listen on', '127.0.0.1')
    .option('--port <number>', 'Port to listen on; 0 picks a free one', port, preset);
}

/**
 * Empties the output files at the start, so that a file that is not writable is reported before the run.
 *
 * @throws Error where it cannot
 */
export function emptyFiles(...files: readonly (string | undefined)[]): void {
  for (const file of files) if (file !== undefined) closeSync(openSync(file, 'w'));
}

/** Prints one line of JSON. */
export function printLine(record: object): void {
  process.stdout.write(`${printable(JSON.stringify(record))}\n`);
}

/** What observes forwarded traffic: a comparison with the document, one with an emulator, or a recorder. */
export interface TrafficObserver extends TrafficListeners {
  /** Prints what was found, once all traffic has been looked at. Returns the exit code. */
  end(): Promise<number>;
}

/** Forwards to a service until a stop signal. The exit code is that of the first observer that found something. */
export async function forward(
  flags: ServingFlags,
  observers: readonly TrafficObserver[],
): Promise<void> {
  const server = createTrafficServer(new URL(flags.upstream), {
    onArrival: (arrived) => void observers.map((observer) => observer.onArrival?.(arrived)),
    onTraffic: (traffic) => void observers.map((observer) => observer.onTraffic(traffic)),
    onLost: (request) => void observers.map((observer) => observer.onLost?.(request)),
  });
  await serveUntilStopped(server, flags);
  const codes: number[] = [];
  for (const observer of observers) codes.push(await observer.end());
  process.exitCode = codes.find((code) => code !== 0) ?? 0;
}

/** Listens and prints the URL. Resolves after a stop signal, when open requests have ended. */
async function serveUntilStopped(server: Server, flags: ServingFlags): Promise<void> {
  const { upstream, bind, port: wished } = flags;
  server.once('error', (error) => {
    process.stderr.write(`Cannot listen on ${bind}:${wished}: ${error.message}\n`);
    process.exit(EXIT.port);
  });
  const stopped = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name)));
  server.listen(wished, bind, () => {
    const { port: taken } = server.address() as AddressInfo;
    const host = bind.includes(':') ? `[${bind}]` : bind;
    printLine({
      kind: 'listening',
      url: `http://${host}:${taken}`,
      upstream: new URL(upstream).origin,
    });
  });
  await stopped;
  await closed(server);
}

/** How long open requests have to end after a stop signal. @units milliseconds */
const GRACE = 2_000;

async function closed(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), GRACE);
  await once(server.close(), 'close');
  clearTimeout(timer);
}
