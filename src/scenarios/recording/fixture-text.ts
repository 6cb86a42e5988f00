import { yaml } from '../../text/yaml.ts';
import type { Scenario } from '../scenario.ts';
import { writeScenario } from '../write.ts';

/** A decimal kept by its digits, as YAML quotes its mark. */
const MARKED = /"\\0(-?[0-9.eE+-]+)"/g;

/** A scenario as the text of a fixture: JSON for a file named so, YAML for any other. */
export function fixtureText(scenario: Scenario, file: string): string {
  if (file.endsWith('.json')) return [...writeScenario(scenario)].join('');
  const options = { aliasDuplicateObjects: false, lineWidth: 110 };
  return yaml().stringify(scenario, options).replaceAll(MARKED, '$1');
}
