import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { libraryFixtures, readFixture } from '../../src/fixtures/fixture-file.ts';
import { PACKAGE_FILES } from '../../src/pages/assets.ts';
import { DIST, ROOT, SOURCES } from './places.ts';

const { resolve } = createRequire(import.meta.url);

/** Copies the files that the code reads into `dist`, and writes the licences of the bundled packages. */
export function copyAssets(inputs: readonly string[]): void {
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
