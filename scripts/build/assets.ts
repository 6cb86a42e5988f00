import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { libraryFixtures, readFixture } from '../../src/scenarios/read.ts';
import { PACKAGE_FILES } from '../../src/web/assets.ts';
import { DIST, ROOT, SOURCES } from './places.ts';

const { resolve } = createRequire(import.meta.url);

/** Puts into `dist` what its code reads, and the licences of the packages that are joined in it. */
export function copyAssets(inputs: readonly string[]): void {
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }))
    if (/^(spec|web)\/.*\.(json|css|js|svg)$/.test(file)) cpSync(SOURCES + file, DIST + file);
  for (const [name, file] of Object.entries(PACKAGE_FILES))
    cpSync(resolve(file), `${DIST}web/${name}`);
  writeLibrary();
  writeLicences([...inputs, ...Object.values(PACKAGE_FILES).map((file) => resolve(file))]);
}

/** The fixtures of the library, judged, in a form that is read at once. */
function writeLibrary(): void {
  mkdirSync(`${DIST}scenarios/library`, { recursive: true });
  for (const name of libraryFixtures()) {
    const { scenario } = readFixture(name);
    writeFileSync(`${DIST}scenarios/library/${name}.json`, JSON.stringify(scenario));
  }
}

/** The licences of the packages that files belong to. */
function writeLicences(files: readonly string[]): void {
  const packages = files.map((file) => /.*node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  const named = [...new Set(packages.filter((name) => name !== undefined))].sort();
  const texts = named.map((name) => `${name}\n\n${licenceOf(`${ROOT}node_modules/${name}/`)}`);
  writeFileSync(`${DIST}licences.txt`, texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** The text that comes with a package, or what it declares where there is none. */
function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  if (file !== undefined) return readFileSync(folder + file, 'utf8');
  const { license, author } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  return `${license}, ${author?.name ?? author}\n`;
}
