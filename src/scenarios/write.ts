import { serialise, unmarkYaml } from '../text/exact-json.ts';
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

/** Formats a scenario as a fixture: JSON for a `.json` file, else YAML. */
export function fixtureText(scenario: Scenario, file: string): string {
  if (file.endsWith('.json')) return [...writeScenario(scenario)].join('');
  const options = { aliasDuplicateObjects: false, lineWidth: 110 };
  return unmarkYaml(yaml().stringify(scenario, options));
}
