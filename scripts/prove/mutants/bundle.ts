import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { ROOT, SOURCES } from '../../build/places.ts';
import { instrument, mutantsOf, type SourceMutant } from './instrument.ts';

/** The folders that are mutated. */
const FOLDERS = ['domain', 'resources'];

/** All mutants that the operators create there, numbered. */
export function allMutants(): readonly SourceMutant[] {
  return FOLDERS.flatMap(filesIn)
    .flatMap((file) => mutantsOf(file, readFileSync(SOURCES + file, 'utf8')))
    .map((mutant, id) => ({ ...mutant, id }));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(SOURCES + folder, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .sort();
}

/** Builds the emulator with the given mutants, all inactive, into one file that serves it on request. */
export async function buildMutated(outfile: string, mutants: readonly SourceMutant[]) {
  const switching: Plugin = {
    name: 'switchable mutants',
    setup(building) {
      building.onLoad({ filter: /\/(src|scripts)\/.*\.tsx?$/ }, ({ path }) => {
        const file = relative(SOURCES, path);
        const own = mutants.filter((mutant) => mutant.file === file);
        const text = readFileSync(path, 'utf8');
        const place = JSON.stringify(pathToFileURL(path).href);
        return {
          loader: path.endsWith('x') ? 'tsx' : 'ts',
          contents: (own.length === 0 ? text : instrument(file, text, own)).replaceAll(
            'import.meta.url',
            place,
          ),
        };
      });
    },
  };
  await build({
    entryPoints: [`${ROOT}scripts/prove/mutants/serve.ts`],
    outfile,
    plugins: [switching],
    packages: 'external',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: `${ROOT}tsconfig.json`,
    logLevel: 'error',
  });
}
