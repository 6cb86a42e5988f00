import { readFileSync } from 'node:fs';

export interface Manifest {
  readonly version: string;
  readonly description: string;
}

/** What the package says of itself. */
export function readManifest(): Manifest {
  return JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as Manifest;
}
