import { readFileSync, writeFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { copyAssets } from './assets.ts';
import { DIST, type Manifest, ROOT, SOURCES } from './places.ts';

/**
 * Joins the sources to a few files, as finding hundreds takes most of a start. Dependencies stay outside, as
 * they are installed; development packages that sources import are joined. All files lie in one folder, so
 * that each finds what lies beside its sources.
 */
export async function buildCode(): Promise<void> {
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest;
  const { outputFiles, metafile } = await build({
    entryPoints: entriesOf(manifest),
    outdir: DIST,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    plugins: [ownPlaces, precompiledSchemas],
    banner: { js: REQUIRE },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    tsconfig: `${ROOT}tsconfig.json`,
    metafile: true,
    write: false,
  });
  copyAssets(Object.keys(metafile.inputs));
  // What only entries refer to is there before them.
  const isEntry = ({ path }: { path: string }) => !/-[A-Z0-9]{8}\.js$/.test(path);
  for (const file of [...outputFiles].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b))))
    writeFileSync(file.path, file.contents);
}

/** The command, and what the package exports. */
function entriesOf({ exports }: Manifest): { in: string; out: string }[] {
  const exported = Object.values(exports).filter((conditions) => typeof conditions !== 'string');
  return [
    { in: `${SOURCES}cli/main.ts`, out: 'cli' },
    ...exported.map((conditions) => ({
      in: `${ROOT}${conditions['source']}`,
      out: basename(conditions['default'] as string, '.js'),
    })),
  ];
}

/** What joined packages of the older kind call when they load Node's own modules. */
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);";

/** Lets each source find what lay beside it, which is copied to the same place below `dist`. */
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

/** Nothing is compiled at run time. */
const precompiledSchemas: Plugin = {
  name: 'precompiled schemas',
  setup(building) {
    building.onResolve({ filter: /\/compiled\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: `${SOURCES}spec/precompiled.ts` },
    );
  },
};
