import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { functionLengths } from './function-lengths.ts';

/**
 * `npm run size [revision]`: lines of code, of files and of functions, next to those of an earlier revision.
 * Counts the TypeScript of `src` and of the contract kit, without tests and generated declarations.
 */
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 30 });

const isCounted = (path: string): boolean =>
  /^(src|contract-tests)\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path);

/** The figures by name. */
function sizesOf(
  paths: readonly string[],
  read: (path: string) => string,
): Readonly<Record<string, string | number>> {
  const files = paths.filter(isCounted).map((path) => ({ path, text: read(path) }));
  const lengths = files.map(({ path, text }) => [linesOf(text), path] as const);
  const functions = files
    .flatMap(({ path, text }) => functionLengths(path, text))
    .map(({ lines }) => lines);
  const folders = new Map<string, number>();
  for (const { path } of files) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  return {
    lines: lengths.reduce((sum, [length]) => sum + length, 0),
    files: files.length,
    'median file': median(lengths.map(([length]) => length)),
    'longest file': longest(lengths),
    'files over 250 lines': lengths.filter(([length]) => length > 250).length,
    functions: functions.length,
    'median function': median(functions),
    'functions over 40 lines': functions.filter((length) => length > 40).length,
    'widest folder': longest([...folders].map(([path, count]) => [count, path] as const)),
  };
}

const linesOf = (text: string): number => text.split('\n').length - 1;

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function longest(pairs: readonly (readonly [number, string])[]): string {
  const [length, path] = pairs.reduce((most, pair) => (pair[0] > most[0] ? pair : most), [0, '']);
  return `${length} (${path})`;
}

const revision = process.argv[2] ?? 'fc3f0c0';
const before = sizesOf(git('ls-tree', '-r', '--name-only', revision).split('\n'), (path) =>
  git('show', `${revision}:${path}`),
);
const now = sizesOf(git('ls-files').split('\n'), (path) => readFileSync(path, 'utf8'));
const row = (...cells: readonly unknown[]): string =>
  `${String(cells[0]).padEnd(26)}${String(cells[1]).padEnd(46)}${cells[2]}\n`;
process.stdout.write(row('', `at ${revision}`, 'now'));
for (const [name, figure] of Object.entries(now))
  process.stdout.write(row(name, before[name], figure));
