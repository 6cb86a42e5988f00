import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Command } from 'commander';
import ts from 'typescript';
import { addContract } from '../contract-tests/cli/contract.ts';
import { createProgram } from '../src/cli/program.ts';
import { createTables } from '../src/store/schema.ts';
import { GENERATED, ROOT } from './build/places.ts';
import { circlesOf, sourceFiles } from './source-files.ts';

/** `npm run size`: how large the project is, beside what it was at a37b50c0. */
function print(now: Figures): void {
  const row = (...[name, ...cells]: readonly unknown[]): string =>
    `${String(name).padEnd(58)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  process.stdout.write(row('', 'a37b50c0', 'now', 'share'));
  for (const [name, figure] of Object.entries(now)) {
    const before = BASE[name as keyof Figures];
    const share = before === 0 ? '' : `${((100 * figure) / before).toFixed(0)} %`;
    process.stdout.write(
      row(name, before.toLocaleString('en'), figure.toLocaleString('en'), share),
    );
  }
}

/**
 * The figures at a37b50c0. A line is one of the file; comments and empty ones count. The packages for other languages, in
 * `clients`, do not count: nothing else depends on them.
 */
const BASE = {
  'lines of TypeScript, css and js by hand': 142_630,
  'of them neither tests nor contract checks': 81_475,
  'lines of wholly generated files in git': 10_233,
  'lines of YAML by hand': 28_662,
  'files in git': 1_539,
  'lines of all files': 202_348,
  'tokens of all files, without comments': 1_767_053,
  'circles of imports in src and contract-tests': 14,
  settings: 42,
  'commands that can be run': 62,
  'operations under /_emulator': 50,
  'sections of the inspector': 13,
  'documents in docs/': 19,
  'tables of a world': 29,
  'indexes of a world': 80,
};

type Figures = Readonly<Record<keyof typeof BASE, number>>;

const BY_HAND = /^(src|contract-tests|scripts|bench)\/.*\.(tsx?|css|m?js)$/;
const TESTS = /\.test\.tsx?$|\/testing\/|^contract-tests\/(cases|worked-cases)\//;
const TEXT = /\.(tsx?|m?js|css|json|ya?ml|md|sh|txt|py|go|rb|php|java|rs|toml|svg)$|^[^.]*$/;

/** The paths of the files in git, those in `clients` apart. */
function listFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((path) => path !== '' && existsSync(ROOT + path) && !path.startsWith('clients/'));
}

/** The texts of the files that have one, by path. */
function readTexts(files: readonly string[]): ReadonlyMap<string, string> {
  const withText = files.filter((path) => TEXT.test(path));
  return new Map(withText.map((path) => [path, readFileSync(ROOT + path, 'utf8')]));
}

function measure(): Figures {
  const files = listFiles();
  const texts = readTexts(files);
  const lines = (isCounted: (path: string) => boolean): number =>
    [...texts].reduce((sum, [path, text]) => sum + (isCounted(path) ? lengthOf(text) : 0), 0);
  const isByHand = (path: string) => BY_HAND.test(path);
  const read = (path: string) => texts.get(path) ?? '';
  const tables = Object.values(createTables(() => {}));
  return {
    'lines of TypeScript, css and js by hand': lines(isByHand),
    'of them neither tests nor contract checks': lines(
      (path) => isByHand(path) && !TESTS.test(path),
    ),
    'lines of wholly generated files in git': lines((path) => GENERATED.includes(path)),
    'lines of YAML by hand': lines((path) => /\.ya?ml$/.test(path)),
    'files in git': files.length,
    'lines of all files': lines(() => true),
    'tokens of all files, without comments': [...texts].reduce(
      (sum, [path, text]) => sum + countTokens(path, text),
      0,
    ),
    'circles of imports in src and contract-tests': countCircles('src', 'contract-tests'),
    settings: count(read('src/config/settings.ts'), /^ {2}\w+: define\(/gm),
    'commands that can be run': countCommands(),
    'operations under /_emulator': count(read('spec/control.yaml'), /^ +operationId: /gm),
    'sections of the inspector': count(
      read('src/pages/inspector/sections.tsx'),
      /^ {2,4}(?:'\/[\w-]*'|\w+): \{ name: /gm,
    ),
    'documents in docs/': files.filter((path) => /^docs\/[^/]+\.md$/.test(path)).length,
    'tables of a world': tables.length,
    'indexes of a world': tables.flatMap((table) => Object.keys(table['schema'])).length,
  };
}

const lengthOf = (text: string): number => text.split('\n').length - 1;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function countCircles(...folders: readonly string[]): number {
  return folders.reduce((sum, folder) => {
    const files = sourceFiles(ROOT + folder);
    const own = new Set(files.map(({ path }) => path));
    const graph = files.map(({ path, imports }) => {
      const paths = imports.map((name) => normalize(join(dirname(path), name)));
      return [path, paths.filter((each) => own.has(each))] as const;
    });
    return sum + circlesOf(new Map(graph)).length;
  }, 0);
}

/** The commands of the emulator, with those of the contract suite in place of `contract`. */
function countCommands(): number {
  const contract = new Command();
  addContract(contract);
  return countRunnable(createProgram()) - 1 + countRunnable(contract);
}

const countRunnable = ({ commands }: Command): number =>
  commands.reduce((sum, each) => sum + Math.max(1, countRunnable(each)), 0);

/** Counts the tokens of a file without comments: those of the language in TypeScript, else words and marks. */
function countTokens(path: string, text: string): number {
  if (/\.(tsx?|m?js)$/.test(path)) return countOfCode(path, text);
  const bare = /\.css$/.test(path)
    ? text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
    : withoutHashes(path, text);
  return bare.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)?.length ?? 0;
}

const withoutHashes = (path: string, text: string): string =>
  /\.(ya?ml|sh|py|rb|toml)$|ignore$|Dockerfile$/.test(path)
    ? text.replaceAll(/^\s*#.*$/gm, '')
    : text;

function countOfCode(path: string, text: string): number {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode)
      return;
    const children = node.getChildren(source);
    if (children.length === 0 && node.getWidth(source) > 0) tokens += 1;
    for (const child of children) visit(child);
  };
  visit(source);
  return tokens;
}

print(measure());
