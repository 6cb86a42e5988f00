import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { isDatabase } from '../config/database-address.ts';
import { type Settings, SettingsError } from '../config/settings.ts';
import { DataError, readIfThere, writePrivate } from '../store/storage/data-error.ts';
import type { CertificateAndKey } from './authority.ts';

/** What a server of https shows, and the authority that its clients have to trust if the emulator made it. */
export interface TlsIdentity extends CertificateAndKey {
  readonly authority?: string;
}

/**
 * The identity that the settings ask for; undefined if they ask for none.
 *
 * @throws SettingsError naming all that is wrong with the settings or their files
 * @throws DataError where the authority beside the data file cannot be used
 */
export async function loadTlsIdentity(settings: Settings): Promise<TlsIdentity | undefined> {
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
