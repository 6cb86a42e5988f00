import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { isDatabase } from '../config/database-address.ts';
import { type Settings, SettingsError } from '../config/settings.ts';
import { DataError, readIfThere, writePrivate } from '../store/storage/data-error.ts';
import type { CertificateAndKey } from './authority.ts';

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
  const serve = (present: RequestListener) =>
    void server.removeAllListeners('request').on('request', present);
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
        onConnect: (present) => void server.on('connect', present),
        close,
      });
    });
  });
}

/** What a server of https shows, and the authority that its clients have to trust if the emulator made it. */
interface TlsIdentity extends CertificateAndKey {
  readonly authority?: string;
}

/**
 * The identity that the settings ask for; undefined if they ask for none.
 *
 * @throws SettingsError naming all that is wrong with the settings or their files
 * @throws DataError where the authority beside the data file cannot be used
 */
async function loadTlsIdentity(settings: Settings): Promise<TlsIdentity | undefined> {
  const { tls, tls_cert, tls_key } = settings;
  const hasFiles = tls_cert !== '' || tls_key !== '';
  if (tls !== 'self-signed') return hasFiles ? readIdentity(tls_cert, tls_key) : undefined;
  if (hasFiles)
    throw new SettingsError(['Expected tls self-signed, or tls_cert and tls_key, not both.']);
  const { issueCertificate } = await import('./authority.ts');
  const authority = await authorityFor(settings);
  const issued = await issueCertificate(authority, namesOf(settings));
  return { ...issued, authority: authority.cert };
}

/** The authority beside the data file, made if there is none yet. @throws DataError where it cannot be used */
async function authorityFor(settings: Settings): Promise<CertificateAndKey> {
  const { createAuthority, readAuthority } = await import('./authority.ts');
  const file = authorityFile(settings);
  if (file === undefined) return createAuthority();
  const kept = readIfThere(file);
  if (kept === undefined) {
    const made = await createAuthority();
    writePrivate(file, `${made.cert}${made.key}`);
    return made;
  }
  try {
    return readAuthority(kept);
  } catch {
    throw new DataError(
      `${file}: expected a certificate and its key. Delete it for a new authority.`,
    );
  }
}

/** The file that keeps the authority, so that clients trust it after a restart. Undefined if there is no data file. */
const authorityFile = ({ data }: Settings): string | undefined =>
  data === '' || isDatabase(data) ? undefined : `${data}.ca.pem`;

/** The names by which requests may reach the emulator, as certificates write them. */
function namesOf({ host, allowed_hosts, public_url }: Settings): readonly string[] {
  const names = ['localhost', '127.0.0.1', '::1'];
  for (const name of allowed_hosts) names.push(name.startsWith('.') ? `*${name}` : name);
  if (public_url !== '') names.push(new URL(public_url).hostname.replace(/^\[|\]$/g, ''));
  if (isIP(host) > 0 && host !== '0.0.0.0' && host !== '::') names.push(host);
  return [...new Set(names)];
}

/** @throws SettingsError naming each missing setting and unusable file */
function readIdentity(certFile: string, keyFile: string): TlsIdentity {
  const problems: string[] = [];
  const read = (setting: string, file: string): string => {
    try {
      if (file !== '') return readFileSync(file, 'utf8');
      problems.push(
        `Setting ${setting}: expected a file, as tls_cert and tls_key belong together.`,
      );
    } catch (error) {
      problems.push(`Setting ${setting}: ${(error as Error).message}.`);
    }
    return '';
  };
  const identity = { cert: read('tls_cert', certFile), key: read('tls_key', keyFile) };
  if (problems.length > 0) throw new SettingsError(problems);
  try {
    createSecureContext(identity);
  } catch (error) {
    const reason = (error as Error).message;
    throw new SettingsError([
      `Settings tls_cert and tls_key: expected a certificate and its key in PEM, got: ${reason}.`,
    ]);
  }
  return identity;
}

/** Serves the authority that clients of the emulator have to trust; passes on if there is none. */
export function serveAuthority(authority: () => string | undefined) {
  return ({ method = '' }: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const text = authority();
    if (text === undefined || !['GET', 'HEAD'].includes(method)) {
      next();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/x-pem-file' });
    response.end(text);
  };
}
