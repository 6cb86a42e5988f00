import { RuleViolation, violate } from '../../domain/rules.ts';
import { FixtureError, libraryFixtures } from '../../fixtures/read.ts';
import type { WorldManager } from './world-manager.ts';

const LIBRARY_NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * The fixture of a name. Requests can only name those of the library, of the settings and of the embedding program,
 * as a path would reach any file of the machine.
 */
export function fixtureNamed(name: string, { fixtures }: WorldManager, field: string): string {
  const isKnown = LIBRARY_NAME.test(name) || fixtures.has(name);
  return isKnown ? name : violate('fixture.unknown', field);
}

/** The names of all fixtures that requests can name. */
export function knownFixtures({ fixtures }: WorldManager): readonly string[] {
  const names = [...libraryFixtures(), ...fixtures];
  return [...new Set(names)].filter((name) => name !== '');
}

/** Runs work that plays a fixture. If the fixture is at fault, the request is rejected with what is wrong with it. */
export async function refusingFixtures<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new RuleViolation([{ field, message: error.message }]);
  }
}
