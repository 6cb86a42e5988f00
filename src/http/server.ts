import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Settings } from '../config/settings.ts';
import { loadTlsIdentity, type TlsIdentity } from './tls-identity.ts';

/** How long requests in progress can take after the server is told to stop. */
const PATIENCE_MS = 800;

/**
 * How many connections may wait to be accepted; systems may allow fewer. Of more than Node's 511 at once, some were
 * accepted only a second later, and a few were reset.
 */
const MAX_WAITING_CONNECTIONS = 4_096;

/** After how much silence the system asks whether a client is still there. */
const SILENCE_MS = 60_000;

type TunnelListener = (request: IncomingMessage, socket: Socket, first: Buffer) => void;

export interface ListeningServer {
  /** Base address, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Replaces the request listener. */
  serve(listener: RequestListener): void;
  /** Passes on what asks for a tunnel, by the method CONNECT. Without a listener, its connection is closed. */
  onConnect(listener: TunnelListener): void;
  /** Stops listening. Requests in progress are finished first. */
  close(): Promise<void>;
}

/** The servers of an emulator. `close` stops both. */
export interface Listening {
  readonly plain: ListeningServer;
  /** By https, if the settings ask for it. */
  readonly secure?: ListeningServer;
  /** The authority (PEM) that clients have to trust, if the emulator made it. */
  readonly authority?: string;
  close(): Promise<void>;
}

/**
 * Starts the servers that the settings ask for. `early`, which already listens, is the one of http.
 *
 * @throws SettingsError, DataError where the certificate cannot be used
 */
export async function listenAsSet(
  listener: RequestListener,
  settings: Settings,
  early?: ListeningServer,
): Promise<Listening> {
  const identity = await loadTlsIdentity(settings);
  const plain = early ?? (await listenOn(listener, settings));
  early?.serve(listener);
  if (!identity) return { plain, close: () => plain.close() };
  const { host, tls_port: port } = settings;
  try {
    const secure = await listenOn(listener, { host, port }, identity);
    const close = async () => {
      await Promise.all([plain.close(), secure.close()]);
    };
    const { authority } = identity;
    return { plain, secure, close, ...(authority !== undefined && { authority }) };
  } catch (error) {
    await plain.close();
    throw error;
  }
}

/** An address that can be opened, also if it listens on all addresses. */
export const openable = (bound: string): string =>
  bound.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

/** Starts a server, of https if it has an identity. Resolves once it accepts requests. */
export function listenOn(
  listener: RequestListener,
  { host, port }: Pick<Settings, 'host' | 'port'>,
  identity?: TlsIdentity,
): Promise<ListeningServer> {
  // Asks silent clients whether they are still there: those of a sleeping laptop would keep their connections for ever.
  const options = { keepAlive: true, keepAliveInitialDelay: SILENCE_MS };
  const server: Server = identity
    ? createSecureServer({ ...options, cert: identity.cert, key: identity.key })
    : createServer(options);
  // A client that stood at a breakpoint would send its next request on a connection that was closed meanwhile.
  server.keepAliveTimeout = 0;
  const serve = (handler: RequestListener) =>
    void server.removeAllListeners('request').on('request', handler);
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
      resolve({
        url: `${identity ? 'https' : 'http'}://${name}:${actual}`,
        port: actual,
        serve,
        onConnect: (handler) => void server.on('connect', handler),
        close,
      });
    });
  });
}
