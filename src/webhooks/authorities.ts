import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { type Settings, SettingsError } from '../config/settings.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * What webhook receivers are trusted by: the usual authorities, and those in the file that the settings name. Undefined
 * if they name none.
 *
 * @throws SettingsError when the file cannot be read or has no certificate
 */
export function trustedByReceivers({ webhook_ca: file }: Settings): SecureContext | undefined {
  if (file === '') return undefined;
  try {
    const given = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (given.length === 0) throw new Error(`${file} has no certificate (PEM)`);
    for (const each of given) new X509Certificate(each);
    return createSecureContext({ ca: [...rootCertificates, ...given] });
  } catch (error) {
    throw new SettingsError([`Setting webhook_ca: ${(error as Error).message}.`]);
  }
}
