import type { Settings } from '../config/settings.ts';
import { RuleViolation, violate } from '../domain/rules.ts';
import { FixtureError, libraryFixtures } from '../scenarios/read.ts';

const LIBRARY_NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * The fixture of a name. Only the library and what the settings name can be had by request, as a path would
 * reach any file of the machine.
 */
export function fixtureNamed(name: string, settings: Settings, field: string): string {
  const { fixture, sandbox_fixture } = settings;
  const isKnown = LIBRARY_NAME.test(name) || name === fixture || name === sandbox_fixture;
  return isKnown ? name : violate('fixture.unknown', field);
}

/** The names of all fixtures that can be had by request. */
export function knownFixtures({ fixture, sandbox_fixture }: Settings): readonly string[] {
  const names = [...libraryFixtures(), fixture, sandbox_fixture];
  return [...new Set(names)].filter((name) => name !== '');
}

/** Runs work that plays a fixture; one that cannot be played is refused by what is wrong with it. */
export async function refusingFixtures<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new RuleViolation([{ field, message: error.message }]);
  }
}
