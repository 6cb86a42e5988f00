import { readFileSync } from 'node:fs';

interface PackageManifest {
  readonly version: string;
  readonly description: string;
}

/** Reads what `package.json` says of this package. */
export const packageManifest = (): PackageManifest =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
