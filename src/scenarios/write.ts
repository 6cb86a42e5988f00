import { serialise } from '../text/exact-json.ts';
import { yaml } from '../text/yaml.ts';
import type { Scenario, StreamedScenario } from './scenario.ts';

/** How much text is gathered before it is handed on. */
const CHUNK = 65_536;

/**
 * A scenario as JSON, which is YAML too: a line for each step, in pieces, so that none of it has to be held.
 */
export function* writeScenario(scenario: StreamedScenario): Generator<string> {
  const { about, teaches, clock, steps } = scenario;
  const head = JSON.stringify({ about, teaches, clock }).slice(0, -1);
  let text = `${head},"steps":[`;
  let separator = '\n';
  for (const step of steps) {
    text += separator + serialise(step).text;
    separator = ',\n';
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield `${text}\n]}\n`;
}

/** A decimal kept by its digits, as YAML quotes its mark. */
const MARKED = /"\\0(-?[0-9.eE+-]+)"/g;

/** A scenario as the text of a fixture: JSON for a file named so, YAML for any other. */
export function fixtureText(scenario: Scenario, file: string): string {
  if (file.endsWith('.json')) return [...writeScenario(scenario)].join('');
  const options = { aliasDuplicateObjects: false, lineWidth: 110 };
  return yaml().stringify(scenario, options).replaceAll(MARKED, '$1');
}
