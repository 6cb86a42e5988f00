import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
import { libraryFixtures, readFixture } from '../../src/fixtures/fixture-file.ts';
import { PACKAGE_FILES } from '../../src/pages/assets.ts';
import { DIST, type Manifest, ROOT, SOURCES } from './places.ts';

/**
 * Bundles the sources into a few files, because resolving hundreds takes most of a start. Dependencies are not
 * bundled, because they are installed. Development packages that sources import are bundled. All files are in one
 * folder, so that each finds the files next to its sources.
 */
export async function buildCode(): Promise<void> {
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest;
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: entriesOf(manifest).filter(({ in: entry }) => entry !== CLIENT),
    outdir: DIST,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependenciesMeta }),
    plugins: [ownPlaces, precompiledSchemas, oneClient, shortNames],
    splitting: true,
    platform: 'node',
    metafile: true,
    write: false,
  });
  await build({ ...COMMON, entryPoints: [CLIENT], outfile: `${DIST}client.js` });
  copyAssets(Object.keys(metafile.inputs));
  // Write entries last, so that the chunks they import exist.
  const isEntry = ({ path }: { path: string }) => !/-[A-Z0-9]{8}\.js$/.test(path);
  for (const file of [...outputFiles].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b))))
    writeFileSync(file.path, /\brequire\b/.test(file.text) ? REQUIRE + file.text : file.text);
}

const COMMON = {
  bundle: true,
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  minifyWhitespace: true,
  minifySyntax: true,
  tsconfig: `${ROOT}tsconfig.json`,
} as const;

/** A separate file without Node modules. The others import it too, so that its error classes exist once. */
const CLIENT = `${SOURCES}client/index.ts`;

const oneClient: Plugin = {
  name: 'one client',
  setup(building) {
    building.onResolve({ filter: /\/client\/\w+\.ts$/ }, () => ({
      path: './client.js',
      external: true,
    }));
  },
};

/** The command and the exports of the package. */
function entriesOf({ exports }: Manifest): { in: string; out: string }[] {
  const exported = Object.values(exports).filter((conditions) => typeof conditions !== 'string');
  return [
    { in: `${SOURCES}cli/main.ts`, out: 'cli' },
    ...exported.map((conditions) => ({
      in: join(ROOT, conditions['billing-emulator-source'] as string),
      out: basename(conditions['default'] as string, '.js'),
    })),
  ];
}

/** Defines `require`, by which bundled CommonJS packages load Node's modules. The client contains none. */
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);\n";

/** Lets each source find the files next to it, which are copied to the same path below `dist`. */
const ownPlaces: Plugin = {
  name: 'own places',
  setup(building) {
    building.onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => {
      const place = JSON.stringify(`./${relative(SOURCES, path)}`);
      return {
        loader: path.endsWith('x') ? 'tsx' : 'ts',
        contents: readFileSync(path, 'utf8').replaceAll(
          'import.meta.url',
          `new URL(${place}, import.meta.url).href`,
        ),
      };
    });
  },
};

/** Replaces compilation at run time by the precompiled schemas. */
const precompiledSchemas: Plugin = {
  name: 'precompiled schemas',
  setup(building) {
    building.onResolve({ filter: /\/compiled\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: `${SOURCES}spec/precompiled.ts` },
    );
  },
};

/** Shortens names inside the code of bundled packages. Our own code keeps its names, for stack traces. */
const shortNames: Plugin = {
  name: 'short names',
  setup(building) {
    building.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minifyIdentifiers: true });
      return { contents: code, loader: 'js' };
    });
  },
};

const { resolve } = createRequire(import.meta.url);

/** Copies the files that the code reads into `dist`, and writes the licences of the bundled packages. */
function copyAssets(inputs: readonly string[]): void {
  // All files of this folder run in a database, also those that a former build has left.
  rmSync(`${DIST}store`, { recursive: true, force: true });
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }))
    if (/^(spec|pages|store)\/.*\.(json|css|js|svg|sql)$/.test(file))
      cpSync(SOURCES + file, DIST + file);
  for (const [name, file] of Object.entries(PACKAGE_FILES))
    cpSync(resolve(file), `${DIST}pages/${name}`);
  writeLibrary();
  writeLicences([...inputs, ...Object.values(PACKAGE_FILES).map((file) => resolve(file))]);
}

/** Writes the validated fixtures of the library as JSON, which loads faster than YAML. */
function writeLibrary(): void {
  mkdirSync(`${DIST}fixtures/library`, { recursive: true });
  for (const name of libraryFixtures()) {
    const { scenario } = readFixture(name);
    writeFileSync(`${DIST}fixtures/library/${name}.json`, JSON.stringify(scenario));
  }
}

/** Writes the licences of the packages to which the files belong. */
function writeLicences(files: readonly string[]): void {
  const packages = files.map((file) => /.*node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  const named = [...new Set(packages.filter((name) => name !== undefined))].sort();
  const texts = named.map((name) => `${name}\n\n${licenceOf(`${ROOT}node_modules/${name}/`)}`);
  writeFileSync(`${DIST}licences.txt`, texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Returns the licence text of a package, or the licence it declares if it has no text. */
function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  if (file !== undefined) return readFileSync(folder + file, 'utf8');
  const { license, author } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  return `${license}, ${author?.name ?? author}\n`;
}
