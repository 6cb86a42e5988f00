import { didYouMean } from '../text/nearest.ts';
import { compiledSchemas } from './compiled.ts';
import { ECHOES, placeError } from './findings.ts';
import type { BrokenRule, Validate } from './validate.ts';

/** An error in a fixture: its path as a list of steps, and what was expected. */
export interface FixtureFinding {
  readonly place: readonly string[];
  readonly message: string;
}

/** Validates a fixture against `spec/fixture.schema.json`. Returns all errors. */
export function validateFixture(fixture: unknown): readonly FixtureFinding[] {
  const validate = compiledSchemas('fixture')('fixture') as Validate;
  if (validate(fixture)) return [];
  return (validate.errors ?? []).filter(({ keyword }) => !ECHOES.has(keyword)).map(describe);
}

function describe(error: BrokenRule): FixtureFinding {
  const { place, message } = placeError(error);
  if (error.schemaPath.endsWith('/any/required'))
    return { place: place.slice(0, -1), message: `${error.parentSchema?.['description']}` };
  if (error.keyword === 'enum' && place.at(-1) === 'call')
    return { place, message: describeCall(String(error.data), error.schema as string[]) };
  const expected =
    error.keyword === 'format' ? `${error.data} is not an instant. ${MOMENT}` : message;
  const name = place.at(-1);
  return { place, message: name === undefined ? expected : `${name}: ${expected}` };
}

const describeCall = (name: string, operations: readonly string[]): string =>
  `There is no operation ${name}.${didYouMean(name, operations)}`;

const MOMENT =
  'Expected an instant from 1970 to 9999 such as 2026-01-31T10:00:00Z, or a duration such as P1M or -P20D.';
