import { serialise } from '../text/exact-json.ts';
import { yaml } from '../text/yaml.ts';
import type { Scenario, StreamedScenario } from './scenario.ts';

/** Size of the pieces, in characters. */
const CHUNK = 65_536;

/** Writes a scenario as JSON, which is also YAML: one line per step, in pieces, to limit memory. */
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

/** A decimal with exact digits, with its mark as YAML escapes it. */
const MARKED = /"\\0(-?[0-9.eE+-]+)"/g;

/** Formats a scenario as a fixture: JSON for a `.json` file, else YAML. */
export function fixtureText(scenario: Scenario, file: string): string {
  if (file.endsWith('.json')) return [...writeScenario(scenario)].join('');
  const options = { aliasDuplicateObjects: false, lineWidth: 110 };
  return yaml().stringify(scenario, options).replaceAll(MARKED, '$1');
}
