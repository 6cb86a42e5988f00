import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SOURCES = `${ROOT}src/`;
export const DIST = `${ROOT}dist/`;

/** The files that are wholly generated. They are not in git; `npm install`, tests and `npm run types` write them. */
export const GENERATED: readonly string[] = [
  'src/spec/openapi.json',
  'src/spec/openapi.d.ts',
  'src/spec/control.json',
  'src/spec/control.d.ts',
  'src/spec/fixture.d.ts',
  'src/spec/addresses.ts',
  'src/spec/rows.json',
  'llms.txt',
];

/** The fields of `package.json` that the build reads. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}
