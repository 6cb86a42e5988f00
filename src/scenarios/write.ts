import { serialise } from '../text/exact-json.ts';
import type { Playable } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

/** How much text is gathered before it is handed on. */
const CHUNK = 65_536;

/**
 * A scenario as JSON, which is YAML too: a line for each step, in pieces, so that none of it has to be held.
 */
export function* writeScenario({
  about,
  teaches,
  clock,
  steps,
}: Omit<Scenario, 'steps'> & Playable): Generator<string> {
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
