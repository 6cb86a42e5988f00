import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { secretSource } from '../../config/access.ts';
import type { Settings } from '../../config/settings.ts';
import { randomSecret } from '../ids.ts';
import { DataError } from './data-error.ts';
import type { Storage } from './storage.ts';

/**
 * The settings with the secret that tokens, signing secrets and cookies are derived from. A random one is kept beside
 * the data, so that cookies survive a restart.
 *
 * @throws DataError where the file of the secret cannot be used
 * @assumes A-301
 */
export function withSecret(settings: Settings, storage: Pick<Storage, 'secret'>): Settings {
  const source = secretSource(settings);
  if (source === 'setting') return settings;
  if (source === 'seed') return { ...settings, secret: settings.seed };
  return { ...settings, secret: storage.secret() };
}

const SECRET = /^[\w-]{43}$/;

/** The secret in a file, which is made if it is not there. @throws DataError where it cannot be used */
export function storedSecret(file: string): string {
  const stored = readIfThere(file);
  if (stored === undefined) return createSecret(file);
  if (SECRET.test(stored)) return stored;
  throw new DataError(`${file}: expected 43 characters of base 64. Delete it for a new secret.`);
}

function createSecret(file: string): string {
  const secret = randomSecret();
  writePrivate(file, `${secret}\n`);
  return secret;
}

/** The text of a file, undefined if there is none. @throws DataError where it cannot be read */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new DataError(`${file} cannot be read: ${message}`);
  }
}

/** Writes a file that only its owner can read. @throws DataError where it cannot be written */
export function writePrivate(file: string, text: string): void {
  try {
    // Renamed, as a crash may leave a file that is only half written.
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new DataError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
