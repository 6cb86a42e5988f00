import { readFileSync } from 'node:fs';

interface PackageManifest {
  readonly version: string;
  readonly description: string;
}

export const packageManifest = (): PackageManifest =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
