import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, type Manifest, ROOT, SOURCES } from './places.ts';

const WRITTEN = `${DIST}.types/`;

/** Writes the declarations of the exports of the package, and of nothing else. */
export function buildTypes(): void {
  const flags = ['-p', 'tsconfig.build.json', '--outDir', WRITTEN];
  execFileSync('npx', ['tsc', ...flags], { cwd: ROOT, stdio: 'inherit' });
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest;
  const wanted = new Set<string>();
  for (const { types } of Object.values(manifest.exports).map(Object))
    if (types) addReached(types.replace('./dist/', ''), wanted);
  throwIfNotInstalled(wanted, manifest);
  for (const file of wanted) cpSync(placeOf(file), DIST + file);
  rmSync(WRITTEN, { recursive: true });
}

/** The place of a declaration. The compiler does not emit handwritten or generated ones. */
function placeOf(file: string): string {
  return existsSync(SOURCES + file) ? SOURCES + file : WRITTEN + file;
}

/** Adds a declaration and all its imports. */
function addReached(file: string, found: Set<string>): void {
  if (found.has(file)) return;
  found.add(file);
  const text = readFileSync(placeOf(file), 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g))
    addReached(join(file, '..', name).replace(/(\.d)?\.[jt]sx?$/, '.d.ts'), found);
}

/** @throws Error if a declaration imports a package that is bundled, and so not installed with this one */
function throwIfNotInstalled(files: ReadonlySet<string>, manifest: Manifest): void {
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependenciesMeta });
  const isInstalled = (name: string) =>
    name.startsWith('node:') || installed.some((one) => `${name}/`.startsWith(`${one}/`));
  for (const file of files) {
    const imports = readFileSync(placeOf(file), 'utf8').matchAll(
      /(?:from |import\()['"]([^.'"][^'"]*)['"]/g,
    );
    const missing = [...imports].map(([, name = '']) => name).find((name) => !isInstalled(name));
    if (missing !== undefined)
      throw new Error(
        `The declaration ${file} imports ${missing}, which is not installed with it.`,
      );
  }
}
