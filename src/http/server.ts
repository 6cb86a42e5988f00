import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../config/settings.ts';
import { holdingBody } from './incoming.ts';

/** How long requests in progress can take after the server is told to stop. */
const PATIENCE_MS = 800;

/**
 * How many connections may wait to be accepted; systems may allow fewer. Of more than Node's 511 at once, some were
 * accepted only a second later, and a few were reset.
 */
const MAX_WAITING_CONNECTIONS = 4_096;

/** After how much silence the system asks whether a client is still there. */
const SILENCE_MS = 60_000;

export interface ListeningServer {
  /** Base address, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Replaces the request listener. */
  serve(listener: RequestListener): void;
  /** Stops listening. Requests in progress are finished first. */
  close(): Promise<void>;
}

/** Starts a server. Resolves once it accepts requests. */
export function listenOn(
  listener: RequestListener,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<ListeningServer> {
  // Asks silent clients whether they are still there: those of a sleeping laptop would keep their connections for ever.
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: SILENCE_MS });
  // A client that stood at a breakpoint would send its next request on a connection that was closed meanwhile.
  server.keepAliveTimeout = 0;
  const serve = (present: RequestListener) => {
    server.removeAllListeners('request').on('request', present);
    server.removeAllListeners('checkContinue').on('checkContinue', holdingBody(present));
  };
  serve(listener);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, MAX_WAITING_CONNECTIONS, () => {
      const { family, address, port: actual } = server.address() as AddressInfo;
      const name = family === 'IPv6' ? `[${address}]` : address;
      resolve({ url: `http://${name}:${actual}`, port: actual, serve, close });
    });
  });
}
