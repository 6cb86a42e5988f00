import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../text/nearest.ts';
import { findProblems } from './check.ts';
import type { UnknownFields } from './judge-body.ts';
import { readJson, readText, type TextProblem } from './positions.ts';
import type { Problem, Scenario } from './scenario.ts';

/** Thrown for an unusable fixture. Its message has one line per problem: file, line, column, problem. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** A scenario read from a file. */
export interface Fixture {
  readonly file: string;
  readonly scenario: Scenario;
  /** Formats problems in order of position, each as `file.yaml:12:5: …`. */
  describe(problems: readonly Problem[]): readonly string[];
}

const LIBRARY = new URL('../../fixtures/', import.meta.url);

/** The library as parsed and checked by the build. It does not exist when the sources run. */
const JUDGED_LIBRARY = new URL('library/', import.meta.url);

/** Returns the file of a fixture, given a path or the name of one in the library. */
export function fixtureFile(name: string): string {
  return /[\\/]|\.(ya?ml|json)$/.test(name)
    ? name
    : fileURLToPath(new URL(`${name}.yaml`, LIBRARY));
}

/**
 * Returns the fixtures in a folder, sorted by name. Returns none for an empty folder name.
 *
 * @throws FixtureError where the folder cannot be read
 */
export function fixturesIn(folder: string): readonly string[] {
  if (folder === '') return [];
  try {
    return readdirSync(folder)
      .filter((name) => /\.(ya?ml|json)$/.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    throw new FixtureError(`${folder}: ${(error as Error).message}`);
  }
}

/** Returns the names of the library's fixtures, sorted. */
export const libraryFixtures = (): readonly string[] =>
  fixturesIn(fileURLToPath(LIBRARY)).map((file) => basename(file, extname(file)));

/** Reads and checks a fixture in YAML or JSON. @throws FixtureError with every problem, its line and its column */
export function readFixture(name: string, unknownFields?: UnknownFields): Fixture {
  const file = fixtureFile(name);
  const read = () => parseFixture(readBytes(name, file), shortName(file), unknownFields);
  const scenario = file === name ? undefined : readJudged(name);
  return scenario ? { file, scenario, describe: (problems) => read().describe(problems) } : read();
}

/** Reads a fixture of the library from the build, where it is already checked. */
function readJudged(name: string): Scenario | undefined {
  const file = new URL(`${name}.json`, JUDGED_LIBRARY);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Scenario) : undefined;
}

/** Parses and checks the text of a fixture. Problems name `file`. */
export function parseFixture(
  text: string,
  file: string,
  unknownFields: UnknownFields = 'reject',
): Fixture {
  // Large scenarios are in JSON, which parses much faster.
  const read = readJson(text) ?? readText(text);
  const describe = (problems: readonly Problem[]): readonly string[] =>
    inOrder(
      problems.map(({ place, message }) => ({ position: read.positionOf(place), message })),
      file,
    );
  if (read.problems.length > 0) throw new FixtureError(inOrder(read.problems, file).join('\n'));
  const problems = findProblems(read.value, unknownFields);
  if (problems.length > 0) throw new FixtureError(describe(problems).join('\n'));
  return { file, scenario: read.value as Scenario, describe };
}

function inOrder(problems: readonly TextProblem[], file: string): readonly string[] {
  return [...problems]
    .sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column)
    .map(({ position: { line, column }, message }) => `${file}:${line}:${column}: ${message}`);
}

/** The path relative to the working folder, or the full path outside it. */
function shortName(file: string): string {
  const short = relative('', file);
  return short.startsWith('..') ? file : short;
}

function readBytes(name: string, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const hint = didYouMean(name, libraryFixtures());
    const reason = code === 'ENOENT' ? 'there is no such fixture' : message;
    throw new FixtureError(`${name}: ${reason} (${resolve(file)}).${hint}`);
  }
}
