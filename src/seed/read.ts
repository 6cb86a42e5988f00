import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import type { Scenario } from './scenario.ts';

/** A fixture that cannot be used; the message names the file. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

const LIBRARY = new URL('../../fixtures/', import.meta.url);

/** The file of a fixture: a path, or the name of one in the library. */
export function fixtureFile(name: string): string {
  return /[\\/]|\.(ya?ml|json)$/.test(name)
    ? name
    : fileURLToPath(new URL(`${name}.yaml`, LIBRARY));
}

/** Reads a scenario from YAML or JSON. @throws FixtureError naming file, line and column */
export function readScenario(name: string): Scenario {
  const file = fixtureFile(name);
  if (!existsSync(file)) throw new FixtureError(`${name}: there is no such fixture (${file}).`);
  const document = parseDocument(readFileSync(file, 'utf8'));
  const [problem] = document.errors;
  if (problem) throw new FixtureError(`${file}: ${problem.message}`);
  return document.toJS() as Scenario;
}
