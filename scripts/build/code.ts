import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
import { copyAssets } from './assets.ts';
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
