import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedEmulator, startEmulator } from '../../target.ts';
import type { GatheredCheck } from '../gather.ts';
import { allOperations } from '../operations.ts';
import { RED } from '../outcome.ts';
import { gatherCases, pointAt } from './cases.ts';
import { type SpoilingProxy, startProxy } from './proxy.ts';
import { type ShapeMutant, shapeMutants } from './shape-mutants.ts';

/**
 * Spoils answers in front of a sound emulator, one place at a time, and insists that some check turns red.
 * Which checks look at an answer is learnt from one run without a mutant.
 */
const TIMEOUT_MS = 600_000;
const MOST_TRIES = 6;
/** Checks that wait for something take too long to be repeated a thousand times. */
const SLOW_MS = 1500;

let sound: StartedEmulator;
let proxy: SpoilingProxy;
const lookers = new Map<
  string,
  { readonly check: GatheredCheck; readonly milliseconds: number }[]
>();

const cell = (operation: string, status: number): string => `${operation} ${status}`;

beforeAll(async () => {
  const checks = await gatherCases();
  sound = await startEmulator();
  proxy = await startProxy(sound.baseUrl);
  await pointAt(proxy.baseUrl);
  for (const check of checks) {
    const { exchanges, milliseconds, outcome } = await check.run();
    if (outcome !== 'pass' || milliseconds > SLOW_MS) continue;
    const seen = new Set(exchanges.map(({ operation, status }) => cell(operation, status)));
    for (const place of seen)
      lookers.set(place, [...(lookers.get(place) ?? []), { check, milliseconds }]);
  }
}, TIMEOUT_MS);

afterAll(async () => {
  await proxy.close();
  await sound.close();
});

/** Whether a check turned red, or why none could. */
async function fateOf(mutant: ShapeMutant): Promise<'killed' | 'survived' | 'void'> {
  const candidates = (lookers.get(cell(mutant.operation.id, mutant.status)) ?? [])
    .toSorted((left, right) => left.milliseconds - right.milliseconds)
    .map(({ check }) => check);
  let tries = 0;
  for (const check of candidates) {
    proxy.set(mutant);
    const { outcome } = await check.run();
    if (RED.has(outcome) || outcome === 'harness_error') return 'killed';
    if (proxy.spoiled > 0) tries += 1;
    if (tries >= MOST_TRIES) break;
  }
  return tries > 0 ? 'survived' : 'void';
}

describe('a spoiled answer', () => {
  it.each(allOperations().map(({ id }) => id))(
    'is noticed wherever it is spoiled: %s',
    async (id) => {
      const mutants = shapeMutants().filter(({ operation }) => operation.id === id);
      const fates = new Map<string, string>();
      for (const mutant of mutants)
        fates.set(`${mutant.status} ${mutant.about}`, await fateOf(mutant));
      proxy.set(undefined);
      const alive = [...fates].filter(([, fate]) => fate !== 'killed');
      if (process.env['SELFTEST_LOG'])
        process.stdout.write(
          `${id}: ${mutants.length} mutants, not killed: ${JSON.stringify(alive)}\n`,
        );

      expect(alive.filter(([, fate]) => fate === 'survived')).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
