import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutants, type StartedEmulator, startEmulator } from '../../target.ts';
import type { GatheredCheck } from '../gather.ts';
import { RED } from '../outcome.ts';
import { gatherCases, pointAt } from './cases.ts';

let checks: readonly GatheredCheck[];
let sound: StartedEmulator;

beforeAll(async () => {
  checks = await gatherCases();
  sound = await startEmulator();
});
afterAll(() => sound.close());

function meant(ids: readonly string[]): readonly GatheredCheck[] {
  return checks.filter((check) => check.ids.some((id) => ids.includes(id)));
}

/** The outcomes of some checks against a target, until one is red. */
async function outcomesOf(baseUrl: string, wanted: readonly GatheredCheck[]): Promise<string[]> {
  await pointAt(baseUrl);
  const outcomes: string[] = [];
  for (const check of wanted) {
    const { ids, outcome, reason } = await check.run();
    outcomes.push(`${ids.join(' ')} ${outcome} ${reason ?? ''}`.trim());
    if (RED.has(outcome)) break;
  }
  return outcomes;
}

/** A check that waits for what never comes takes its time. */
const TIMEOUT_MS = 120_000;

describe('a mutant of the emulator', { timeout: TIMEOUT_MS }, () => {
  it.each(mutants)('is noticed: $about', async ({ noticedBy, start }) => {
    const wanted = meant(noticedBy);
    const mutant = await start();
    const outcomes = await outcomesOf(mutant.baseUrl, wanted);
    await mutant.close();

    expect(wanted.length).toBeGreaterThan(0);
    expect(outcomes.at(-1)).toMatch(/ (fail|untestable)/);
  });
});

describe('the sound emulator', { timeout: TIMEOUT_MS }, () => {
  it('is not noticed by any of the checks that notice mutants', async () => {
    const wanted = meant(mutants.flatMap(({ noticedBy }) => noticedBy));
    const outcomes = await outcomesOf(sound.baseUrl, wanted);

    expect(outcomes.filter((text) => !/ (pass|not_observable)/.test(text))).toEqual([]);
  });
});
