import { readFileSync } from 'node:fs';
import { yaml } from '../text/yaml.ts';

const STANDARD_INPUT = 0;

/** The text of a file, or of the standard input where it is called `-`. @throws Error of the system */
export function readInput(file: string): string {
  return readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8');
}

/** What a file in YAML or JSON holds. @throws Error saying why it cannot be read */
export function readYaml(file: string): unknown {
  return yaml().parse(readInput(file));
}
