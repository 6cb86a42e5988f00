import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Guard, RECIPES, type Recipe, type RecipeFile } from './recipe-table.ts';

/**
 * `npm run prove -- recipes [NAME …]`: follows the recipes of CONTRIBUTING.md in a copy of the project. Each must
 * build as written. If any of its files is left out, its guard must fail and name what is missing.
 */
const ROOT = process.cwd();
const COPY = mkdtempSync(join(tmpdir(), 'recipes-'));

const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean);

/** Copies the tracked files and links the installed packages. This repository's own packages link to the copy. */
function makeCopy(): void {
  for (const file of git('ls-files', '-z')) {
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    cpSync(join(ROOT, file), join(COPY, file));
  }
  const packages = join(COPY, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  for (const [name, folder] of [
    ['billing-emulator', '.'],
    ['billing-emulator-contract', 'contract-tests'],
  ] as const) {
    rmSync(join(packages, name), { force: true });
    symlinkSync(join(COPY, folder), join(packages, name));
  }
  // The guards read sources and run no build output.
  const config = join(COPY, 'vitest.config.ts');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^.*globalSetup.*\n/m, ''));
}

const GUARDS: Readonly<Record<Guard, (tests: readonly string[]) => readonly string[]>> = {
  generate: () => ['tsx', 'scripts/generate.ts'],
  types: () => ['tsc', '--incremental', '--tsBuildInfoFile', 'node_modules/.types'],
  tests: (tests) => ['vitest', 'run', ...tests],
};

/** Runs a guard. Returns its output, and whether it passed; tests of which none ran did not. */
function run(
  guard: Guard,
  tests: readonly string[],
): { readonly ok: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('npx', GUARDS[guard](tests), {
    cwd: COPY,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const hasRun = guard !== 'tests' || stdout.includes('passed');
  return { ok: status === 0 && hasRun, said: stdout + stderr };
}

/** Restores the files of all recipes, then writes those of one recipe, except the file left out. */
function apply({ files }: Recipe, leftOut?: RecipeFile): void {
  for (const file of git('ls-files', '-z', 'src/spec', 'spec', 'docs/settings.md'))
    cpSync(join(ROOT, file), join(COPY, file));
  for (const { path, isNew } of RECIPES.flatMap((recipe) => recipe.files))
    if (isNew) rmSync(join(COPY, path), { force: true });
    else cpSync(join(ROOT, path), join(COPY, path));
  for (const file of files.filter((each) => each !== leftOut)) {
    const path = join(COPY, file.path);
    const before = file.isNew ? '' : readFileSync(path, 'utf8');
    const after = file.edit(before);
    if (after === before) throw new Error(`The recipe finds nothing to change in ${file.path}.`);
    writeFileSync(path, after);
  }
}

/** The errors of a recipe. */
function* faultsOf(recipe: Recipe): Generator<string> {
  const { files, most } = recipe;
  if (files.length > most) yield `touches ${files.length} files, more than ${most}`;
  apply(recipe);
  const tests = [...new Set(files.flatMap((file) => file.tests ?? []))];
  for (const guard of ['generate', 'types', ...(tests.length > 0 ? ['tests'] : [])] as Guard[]) {
    const { ok, said } = run(guard, tests);
    if (!ok) yield `${guard} fails though nothing is left out:\n${said.slice(-3_000)}`;
  }
  for (const file of files) {
    apply(recipe, file);
    if (file.guard !== 'generate') run('generate', []);
    const { ok, said } = run(file.guard, file.tests ?? []);
    if (ok) yield `${file.guard} passes without ${file.path}`;
    else if (!said.includes(file.says))
      yield `${file.guard} does not say "${file.says}" without ${file.path}:\n${said.slice(-3_000)}`;
  }
}

const wanted = process.argv.slice(2);
const chosen = RECIPES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
let failed = 0;
try {
  makeCopy();
  for (const recipe of chosen) {
    const faults = [...faultsOf(recipe)];
    failed += faults.length;
    const outcome = faults.length === 0 ? 'ok' : 'FAILED';
    process.stdout.write(`${outcome} ${recipe.name}: ${recipe.files.length} files\n`);
    for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  }
} finally {
  rmSync(COPY, { recursive: true, force: true });
}
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;
