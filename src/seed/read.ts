import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProblems } from './check.ts';
import { type Position, type ReadText, readText } from './positions.ts';
import type { Problem, Scenario } from './scenario.ts';

/** A fixture that cannot be used. Its message has a line for each problem: file, line, column, what. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** A scenario read from a file. */
export interface Fixture {
  readonly file: string;
  readonly scenario: Scenario;
  /** Problems in the order of their positions, each as `file.yaml:12:5: …`. */
  describe(problems: readonly Problem[]): readonly string[];
}

const LIBRARY = new URL('../../fixtures/', import.meta.url);

/** The file of a fixture: a path, or the name of one in the library. */
export function fixtureFile(name: string): string {
  return /[\\/]|\.(ya?ml|json)$/.test(name)
    ? name
    : fileURLToPath(new URL(`${name}.yaml`, LIBRARY));
}

/**
 * The fixtures in a folder, in the order of their names; none where no folder is named.
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

/**
 * Reads and judges a fixture in YAML or JSON.
 *
 * @throws FixtureError with every problem, its line and its column
 */
export function readFixture(name: string): Fixture {
  const file = fixtureFile(name);
  return parseFixture(readBytes(name, file), shortName(file));
}

/** Reads and judges the text of a fixture; `file` is what problems name. */
export function parseFixture(text: string, file: string): Fixture {
  const source = new Source(text, file);
  const scenario = readJson(text) ?? source.read();
  const problems = findProblems(scenario);
  if (problems.length > 0) throw new FixtureError(source.describe(problems).join('\n'));
  return { file, scenario: scenario as Scenario, describe: (found) => source.describe(found) };
}

/** The text of a fixture, taken apart when somebody asks where something stands. */
class Source {
  #read: ReadText | undefined;

  constructor(
    private readonly text: string,
    private readonly file: string,
  ) {}

  /** @throws FixtureError where the text is not YAML */
  read(): unknown {
    const { value, problems } = this.#parts();
    if (problems.length > 0)
      throw new FixtureError(
        problems.map(({ position, message }) => this.#line(position, message)).join('\n'),
      );
    return value;
  }

  describe(problems: readonly Problem[]): readonly string[] {
    return problems
      .map(({ place, message }) => ({ position: this.#parts().positionOf(place), message }))
      .sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column)
      .map(({ position, message }) => this.#line(position, message));
  }

  #parts(): ReadText {
    this.#read ??= readText(this.text);
    return this.#read;
  }

  #line({ line, column }: Position, message: string): string {
    return `${this.file}:${line}:${column}: ${message}`;
  }
}

/** A file as one names it from here, in full where it lies elsewhere. */
function shortName(file: string): string {
  const short = relative('', file);
  return short.startsWith('..') ? file : short;
}

function readBytes(name: string, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason = code === 'ENOENT' ? 'there is no such fixture' : message;
    throw new FixtureError(`${name}: ${reason} (${file}).`);
  }
}

/** Reads JSON the quick way, as large scenarios are written in it; undefined for anything else. */
function readJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
