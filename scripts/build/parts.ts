import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { DIST, GENERATED, ROOT } from './places.ts';

interface Part {
  readonly sources: readonly string[];
  /** Builds the part. Its code is imported only now, because it reads files of the parts before this one. */
  readonly build: () => Promise<void>;
}

/** What is generated among the sources, and the parts of `dist`, each with its sources. */
const PARTS = {
  generated: {
    sources: ['spec', 'src/config', 'src/store', 'src/domain', 'README.md'],
    build: async () => (await import('./generated.ts')).buildGenerated(),
  },
  schemas: {
    sources: ['spec', 'src/spec', 'src/domain'],
    build: async () => (await import('./schemas.ts')).buildSchemas(),
  },
  code: {
    sources: ['src', 'fixtures'],
    build: async () => (await import('./code.ts')).buildCode(),
  },
  kit: { sources: ['contract-tests'], build: buildKit },
  types: { sources: ['src'], build: async () => (await import('./types.ts')).buildTypes() },
} as const satisfies Readonly<Record<string, Part>>;

type PartName = keyof typeof PARTS;

/** Files on which every part depends besides its sources. */
const SHARED = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build'];

/** The parts that the command needs, including the contract suite. */
export const RUNNING: readonly PartName[] = ['generated', 'schemas', 'code', 'kit'];

const STAMPS = `${DIST}.stamps/`;

/**
 * Builds the given parts of `dist` whose sources have changed since their last build. Test runs that start together wait
 * for each other here, as a part removes what it wrote before.
 */
export async function build(names: readonly PartName[]): Promise<void> {
  mkdirSync(STAMPS, { recursive: true });
  // No part takes as long as a lock of a process that was killed counts.
  const retries = { forever: true, minTimeout: 100, maxTimeout: 1_000 };
  const release = await lock(STAMPS, { stale: 120_000, retries });
  try {
    await buildChanged(names);
  } finally {
    await release();
  }
}

async function buildChanged(names: readonly PartName[]): Promise<void> {
  for (const name of names) {
    const { sources, build } = PARTS[name];
    const stamp = digestOf([...SHARED, ...sources]);
    const isThere = name !== 'generated' || GENERATED.every((file) => existsSync(join(ROOT, file)));
    if (isThere && stamp === read(STAMPS + name)) continue;
    await build();
    writeFileSync(STAMPS + name, stamp);
  }
}

/** Matches files that are not sources: tests, except the cases of the contract suite, and build output. */
const NO_SOURCE = /\/src\/.*\.test\.|\/(dist|node_modules)\/|\/settings\.schema\.json$/;

/** A digest of the names, sizes and times of all files. */
function digestOf(places: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of places.flatMap(filesAt).filter((path) => !NO_SOURCE.test(path))) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesAt(place: string): readonly string[] {
  const path = join(ROOT, place);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

async function buildKit(): Promise<void> {
  const flags = ['run', '--silent', 'build', '--workspace', 'billing-emulator-contract'];
  execFileSync('npm', flags, { cwd: ROOT, stdio: 'inherit' });
}
