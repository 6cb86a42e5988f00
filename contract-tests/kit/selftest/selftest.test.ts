import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startMutant } from '../../mutants/emulator.ts';
import { MUTANTS } from '../../mutants/index.ts';
import type { GatheredCheck } from '../gather.ts';
import { allOperations } from '../operations.ts';
import { isRed } from '../outcome.ts';
import { registry } from '../registry.ts';
import { sampled } from '../sample.ts';
import { reasonNotSelected } from '../selection.ts';
import { nameOfPart } from '../trial.ts';
import { gatherCases, pointAt } from './cases.ts';
import { fateOf, isVacuous, type Looker, learn } from './hunt.ts';
import { faultsOf, type SelftestReport } from './report.ts';
import { shapeMutants } from './shape-mutants.ts';
import { type SpoiledEmulator, startSpoiledEmulator } from './spoiled-emulator.ts';
import { BEYOND_MUTANTS, UNNOTICED } from './survivors.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** File for the report; without one the self-test is tried in its short form. */
    selftest: string | undefined;
    /** The checks that alone are tried; none tries all. */
    selftestOnly: readonly string[] | undefined;
  }
}

/**
 * Shows that the suite bites, in three steps: mutants of the emulator are noticed by the checks that are meant
 * to, answers spoiled in one place are noticed by some check, and no check is left that nothing turns red.
 * `contract selftest` takes the whole of it; other runs take every sixth mutant, and spoil answers about assets
 * before the checks of assets. With `--only` it is asked of some checks whether anything turns them red.
 */
const report = inject('selftest');
const only = inject('selftestOnly') ?? [];
const isWhole = report !== undefined;
const mutants = (isWhole ? MUTANTS : sampled(MUTANTS, 6)).filter(
  ({ noticedBy }) => only.length === 0 || noticedBy.some(isAskedFor),
);
const operations = allOperations()
  .filter(() => only.length === 0)
  .filter(({ path }) => isWhole || path.startsWith('/assets'))
  .map(({ id }) => id);
const learned = isWhole ? undefined : ['assets.test.ts', 'asset-rates.test.ts'];

/** Judges nothing: a busy machine takes long. */
const TIMEOUT_MS = 3_600_000;

/** What a mutant does not do in a few seconds it does not do at all. */
const IMPATIENT = 0.3;

function isAskedFor(id: string): boolean {
  const entries = [registry().checks.get(id)].filter((entry) => entry !== undefined);
  return reasonNotSelected(entries, { only, skip: [], operations: [], levels: [] }) === undefined;
}

let emulator: SpoiledEmulator;
let checks: readonly GatheredCheck[];
/** Checks that are tried on spoiled answers, and those of them that pass on sound ones. */
let watching: readonly GatheredCheck[];
let lookers: readonly Looker[];

/** Names of the checks that some mutant turned red. */
const killed = new Set<string>();
const found = {
  semantic: [] as SelftestReport['semantic'][number][],
  shapes: [] as SelftestReport['shapes'][number][],
  vacuous: [] as SelftestReport['vacuous'][number][],
};

const reportOf = (): SelftestReport => ({
  schema: 'billing-emulator/contract-selftest',
  ...found,
  only,
  checks: checks.length,
});

beforeAll(async () => {
  const gathered = await gatherCases();
  checks = only.length === 0 ? gathered : gathered.filter(({ ids }) => ids.some(isAskedFor));
  emulator = await startSpoiledEmulator();
  await pointAt(emulator.baseUrl);
  watching = learned ? await gatherCases(learned) : checks;
  lookers = await learn(watching);
}, TIMEOUT_MS);

afterAll(async () => {
  await emulator.close();
  if (isWhole) writeFileSync(report, `${JSON.stringify(reportOf(), null, 2)}\n`);
});

describe('the sound emulator', { timeout: TIMEOUT_MS }, () => {
  it('is not noticed by any check', () => {
    const passed = new Set(lookers.map(({ name }) => name));

    expect(watching.map(nameOfPart).filter((name) => !passed.has(name))).toEqual([]);
  });
});

describe.runIf(mutants.length > 0)('a mutant of the emulator', { timeout: TIMEOUT_MS }, () => {
  it.each(mutants)('is noticed by all that are meant to: $about', async (given) => {
    const { about, noticedBy } = given;
    const wanted = checks.filter((check) => check.ids.some((one) => noticedBy.includes(one)));
    const mutant = await startMutant(given);
    await pointAt(mutant.baseUrl, IMPATIENT);
    const red = new Set<string>();
    for (const check of wanted) {
      if (!isRed(await check.run())) continue;
      killed.add(nameOfPart(check));
      for (const one of check.ids) red.add(one);
    }
    await mutant.close();
    const asked = only.length === 0 ? noticedBy : noticedBy.filter(isAskedFor);
    const killedBy = asked.filter((one) => red.has(one));
    const fate = killedBy.length > 0 ? 'killed' : 'survived';
    found.semantic.push({ about, fate, killedBy });

    expect(killedBy).toEqual(asked);
  });
});

describe.runIf(operations.length > 0)('a spoiled answer', { timeout: TIMEOUT_MS }, () => {
  beforeAll(() => pointAt(emulator.baseUrl, IMPATIENT));

  it.each(operations)('is noticed, or known: %s', async (id) => {
    const alive: string[] = [];
    for (const mutant of shapeMutants().filter(({ operation }) => operation.id === id)) {
      const name = `${id} ${mutant.status} ${mutant.about}`;
      const fate = await fateOf(mutant, lookers, emulator, killed);
      found.shapes.push({ name, fate, reason: UNNOTICED[name] });
      if (fate === 'void' && !isWhole) continue;
      if (fate !== 'killed' && !(name in UNNOTICED)) alive.push(`${name} ${fate}`);
    }

    expect(alive).toEqual([]);
    expect(found.shapes.filter(({ fate }) => fate === 'killed')).not.toEqual([]);
  });
});

if (isWhole)
  describe('the checks', { timeout: TIMEOUT_MS }, () => {
    it('are each turned red by some mutant', async () => {
      const all = shapeMutants();
      for (const looker of lookers)
        if (!killed.has(looker.name) && (await isVacuous(looker, all, emulator)))
          found.vacuous.push({
            name: looker.name,
            reason: BEYOND_MUTANTS[looker.check.ids[0] ?? ''],
          });
      emulator.set(undefined);

      expect(found.vacuous.filter(({ reason }) => reason === undefined)).toEqual([]);
    });

    it('leave no fault to report', () => {
      expect(faultsOf(reportOf())).toEqual([]);
    });
  });
