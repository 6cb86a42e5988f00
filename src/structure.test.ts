import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circlesOf, functionLengths, sourceFiles } from '../scripts/source-files.ts';
import { loadDocument } from './spec/document.ts';

/** Rules that keep the code readable for a new reader. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODEL = 'contract-tests/model/';
const MAX_LINES = 250;
/** A case file keeps all checks of one resource together, with the requests and bodies that they send. */
const MAX_LINES_OF_CASES = 350;
const MAX_FILES = 25;
const MAX_LINES_OF_A_FUNCTION = 40;
/** Names that two files may export. The build replaces one file by the other; test runners require the name. */
const INTERCHANGEABLE = new Set(['compiledSchemas', 'test']);
/** The comment with which a longer file begins, before its reason. */
const REASON = '// Long because ';
const linesOf = (text: string): number => text.split('\n').length - 1;

const files = ['src', 'contract-tests', 'scripts', 'bench'].flatMap((folder) =>
  sourceFiles(join(ROOT, folder)).map((file) => ({ ...file, path: `${folder}/${file.path}` })),
);
const sources = files.filter(({ isTest }) => !isTest);

describe('the source code', () => {
  it('has files of at most 250 lines, or 350 of contract checks, except those whose first line says why they are long', () => {
    const wrong = files.filter(({ path, text }) => {
      const most = path.startsWith('contract-tests/cases/') ? MAX_LINES_OF_CASES : MAX_LINES;
      return linesOf(text) > most !== text.startsWith(REASON);
    });

    expect(wrong.map(({ path, text }) => `${path}: ${linesOf(text)}`)).toEqual([]);
  });

  it('has no function over 40 lines outside of tests', () => {
    const long = sources
      .flatMap(({ path, text }) => functionLengths(path, text))
      .filter(({ lines }) => lines > MAX_LINES_OF_A_FUNCTION);

    expect(long).toEqual([]);
  });

  it('has no folder with more than 25 files, not counting tests', () => {
    const widths = new Map<string, number>();
    for (const { path } of sources) widths.set(dirname(path), (widths.get(dirname(path)) ?? 0) + 1);

    expect([...widths].filter(([, width]) => width > MAX_FILES)).toEqual([]);
  });

  // The model uses the words of the documents and shares no code with the emulator.
  const packages = {
    src: (path: string) => path.startsWith('src/'),
    'contract-tests': (path: string) =>
      path.startsWith('contract-tests/') && !path.startsWith(MODEL),
    model: (path: string) => path.startsWith(MODEL),
  };

  it.each(Object.entries(packages))('exports each name from only one file in %s', (_, isOf) => {
    const homes = new Map<string, string[]>();
    const exported =
      /^export (?:async )?(?:abstract )?(?:function\*?|class|interface|type|const) (\w+)/gm;
    for (const { path, text } of sources.filter((file) => isOf(file.path)))
      for (const name of new Set([...text.matchAll(exported)].map(([, each]) => each as string)))
        homes.set(name, [...(homes.get(name) ?? []), path]);

    expect(
      [...homes].filter(([name, paths]) => paths.length > 1 && !INTERCHANGEABLE.has(name)),
    ).toEqual([]);
  });

  it.each([...loadDocument('openapi').operations.keys()])(
    'names the operation %s in a test',
    (operation) => {
      const callers = files.filter(({ isTest, text }) => isTest && text.includes(`'${operation}'`));

      expect(callers).not.toEqual([]);
    },
  );

  it('has no circles of imports, types and tests included', () => {
    const graph = new Map(
      files.map(({ path, imports }) => [
        path,
        imports.map((name) => normalize(join(dirname(path), name))),
      ]),
    );

    expect(circlesOf(graph)).toEqual([]);
  });
});

describe('circlesOf', () => {
  it('finds two circles that share no file, and no line of files that leads to them', () => {
    const graph = new Map([
      ['start', ['a', 'x']],
      ['a', ['b']],
      ['b', ['c', 'x']],
      ['c', ['a', 'package']],
      ['x', ['y']],
      ['y', ['x']],
    ]);

    expect(circlesOf(graph)).toEqual([
      ['x', 'y'],
      ['a', 'b', 'c'],
    ]);
  });
});
