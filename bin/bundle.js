import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * A start would spend most of its time on finding and translating hundreds of small files. So the first
 * start after a change joins them into a few, which later ones find by what they were made of: the names,
 * sizes and times of all sources. Nothing has to be built, and nothing can be out of date.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/billing-emulator');
const SOURCES = ['src', 'contract-tests'];
const MANIFESTS = ['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'];

/** Earlier bundles that are kept, as processes that run from them may still load parts of them. */
const KEPT = 10;

/** Packages that every start needs; all others are loaded from their own files when they are asked for. */
const JOINED = new Set([
  'ajv',
  'ajv-formats',
  'big.js',
  'commander',
  'currency-codes',
  'express',
  'fastest-levenshtein',
  'find-my-way',
  'ipaddr.js',
  'luxon',
  'yaml',
]);

/** Address of the bundle of the present sources, made now if need be; undefined where none can be kept. */
export async function findBundle() {
  try {
    const folder = join(CACHE, digestOfSources());
    const entry = join(folder, 'main.mjs');
    if (!isThere(entry)) await makeBundle(folder);
    return pathToFileURL(entry).href;
  } catch {
    return undefined;
  }
}

function digestOfSources() {
  const hash = createHash('sha256').update(`${ROOT} ${process.version}\n`);
  const add = (path) => {
    const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
    hash.update(`${path} ${found?.size} ${found?.mtimeMs}\n`);
  };
  for (const path of MANIFESTS) add(path);
  add('bin/bundle.js');
  for (const folder of SOURCES)
    for (const path of readdirSync(join(ROOT, folder), { recursive: true }).sort())
      if (/\.(tsx?|json)$/.test(path) && !path.endsWith('.test.ts')) add(join(folder, path));
  return hash.digest('hex').slice(0, 32);
}

function isThere(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Makes a bundle beside its place and moves it there, so that no other process finds half of one. */
async function makeBundle(folder) {
  const { build } = await import('esbuild');
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  await build({
    entryPoints: [join(ROOT, 'src/cli/main.ts')],
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: join(ROOT, 'tsconfig.json'),
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
    banner: { js: REQUIRE },
    plugins: [ownPlace, separatePackages],
  });
  putInPlace(draft, folder);
  dropOldBundles();
}

/** Another process may have put the same there meanwhile, which then stays. */
function putInPlace(draft, folder) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isThere(folder)) throw error;
  }
}

/** What packages of the older kind call when they load Node's own modules. */
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);";

/** Lets each source find the files beside it, wherever its bundle is. */
const ownPlace = {
  name: 'own place',
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
    }));
  },
};

const separatePackages = {
  name: 'separate packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || importer.includes('node_modules')) return undefined;
      const name = path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/');
      return JOINED.has(name) ? undefined : { path, external: true };
    });
  },
};

function dropOldBundles() {
  const bundles = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((left, right) => right.time - left.time);
  for (const { path } of bundles.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}
