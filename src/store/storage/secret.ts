import { secretSource } from '../../config/access.ts';
import type { Settings } from '../../config/settings.ts';
import { randomSecret } from '../ids.ts';
import { DataError, readIfThere, writePrivate } from './data-error.ts';
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
