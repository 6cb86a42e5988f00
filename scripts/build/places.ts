import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SOURCES = `${ROOT}src/`;
export const DIST = `${ROOT}dist/`;

/** The fields of `package.json` that the build reads. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}
