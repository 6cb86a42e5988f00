import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type GatheredCheck, gatherCases } from '../kit/gather.ts';
import { allOperations } from '../kit/operations.ts';
import { isRed } from '../kit/outcome.ts';
import { registry } from '../kit/registry.ts';
import { sampled } from '../kit/sample.ts';
import { reasonNotSelected } from '../kit/selection.ts';
import { nameOfCheck } from '../kit/trial.ts';
import { startMutant } from '../mutants/emulator.ts';
import { MUTANTS } from '../mutants/index.ts';
import { isVacuous, learn, mutantResultOf, type ObservedCheck } from './hunt.ts';
import { pointAt } from './point-at.ts';
import { faultsOf, type SelftestReport } from './report.ts';
import { shapeMutants } from './shape-mutants.ts';
import { type SpoiledEmulator, startSpoiledEmulator } from './spoiled-emulator.ts';
import { BEYOND_MUTANTS, UNNOTICED } from './survivors.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the self-test runs as a whole and reports; else it runs in its short form. */
    selftest: true | undefined;
    /** Patterns of the checks to test; all checks when empty. */
    selftestOnly: readonly string[] | undefined;
  }
  interface TaskMeta {
    /** The report of a whole self-test, left by its last test. */
    selftestReport?: SelftestReport;
  }
}

/**
 * Shows that the checks find errors, in three steps: each mutant of the emulator fails the checks that its `noticedBy`
 * names, each response spoiled in one place fails some check, and each check fails at least once.
 * `contract selftest` does all of this. Other runs use every sixth mutant, and only spoil responses about assets for
 * the checks of assets. `--only` tests only the checks it names.
 */
const isWhole = inject('selftest') === true;
const only = inject('selftestOnly') ?? [];
await gatherCases();
const mutants = (isWhole ? MUTANTS : sampled(MUTANTS, 6)).filter(
  ({ noticedBy }) => only.length === 0 || noticedBy.some(isAskedFor),
);
const operations = allOperations()
  .filter(() => only.length === 0)
  .filter(({ path }) => isWhole || path.startsWith('/assets'))
  .map(({ id }) => id);
const learned = isWhole ? undefined : ['assets.test.ts', 'asset-rates.test.ts'];

/** Far above the expected time, so that a slow machine does not fail the test. */
const TIMEOUT_MS = 3_600_000;

/** Factor on waiting times: what a mutant does not do within seconds, it never does. */
const IMPATIENT = { waitFactor: 0.3 };

function isAskedFor(id: string): boolean {
  const entry = registry().checks.get(id);
  const selection = { only, skip: [], operations: [], levels: [] };
  return entry !== undefined && reasonNotSelected(entry, selection) === undefined;
}

/** Its sessions have a run id each, as names made twice would already exist. */
let emulator: SpoiledEmulator;
let checks: readonly GatheredCheck[];
/** Checks to run on spoiled responses, and those of them that pass on unchanged ones. */
let watching: readonly GatheredCheck[];
let observed: readonly ObservedCheck[];

/** Names of the checks that failed for some mutant. */
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
  checks = only.length === 0 ? gathered : gathered.filter(({ id }) => isAskedFor(id));
  emulator = await startSpoiledEmulator();
  await pointAt(emulator.baseUrl);
  watching = learned ? await gatherCases(learned) : checks;
  observed = await learn(watching);
}, TIMEOUT_MS);

afterAll(() => emulator.close());

describe('an emulator without a mutant', { timeout: TIMEOUT_MS }, () => {
  it('passes every check', () => {
    const passed = new Set(observed.map(({ name }) => name));

    expect(watching.map(nameOfCheck).filter((name) => !passed.has(name))).toEqual([]);
  });
});

describe.runIf(mutants.length > 0)('a mutant of the emulator', { timeout: TIMEOUT_MS }, () => {
  it.each(mutants)('fails every check that its noticedBy names: $about', async (given) => {
    const { about, noticedBy } = given;
    const wanted = checks.filter(({ id }) => noticedBy.includes(id));
    const mutant = await startMutant(given);
    await pointAt(mutant.baseUrl, IMPATIENT);
    const red = new Set<string>();
    for (const check of wanted) {
      if (!isRed(await check.run())) continue;
      killed.add(nameOfCheck(check));
      red.add(check.id);
    }
    await mutant.close();
    const asked = only.length === 0 ? noticedBy : noticedBy.filter(isAskedFor);
    const killedBy = asked.filter((one) => red.has(one));
    const result = killedBy.length > 0 ? 'killed' : 'survived';
    found.semantic.push({ about, result, killedBy });

    expect(killedBy).toEqual(asked);
  });
});

describe.runIf(operations.length > 0)('a spoiled response', { timeout: TIMEOUT_MS }, () => {
  beforeAll(() => pointAt(emulator.baseUrl, { ...IMPATIENT, runId: 'spoiled' }));

  it.each(operations)('fails some check, or is listed in UNNOTICED: %s', async (id) => {
    const alive: string[] = [];
    for (const mutant of shapeMutants().filter(({ operation }) => operation.id === id)) {
      const name = `${id} ${mutant.status} ${mutant.about}`;
      const result = await mutantResultOf(mutant, observed, emulator, killed);
      found.shapes.push({ name, result, reason: UNNOTICED[name] });
      if (result === 'void' && !isWhole) continue;
      if (result !== 'killed' && !(name in UNNOTICED)) alive.push(`${name} ${result}`);
    }

    expect(alive).toEqual([]);
    expect(found.shapes.filter(({ result }) => result === 'killed')).not.toEqual([]);
  });
});

if (isWhole)
  describe('the checks', { timeout: TIMEOUT_MS }, () => {
    beforeAll(() => pointAt(emulator.baseUrl, { ...IMPATIENT, runId: 'each' }));

    it('each fail for some mutant, or are listed in BEYOND_MUTANTS', async () => {
      const all = shapeMutants();
      for (const observedCheck of observed)
        if (!killed.has(observedCheck.name) && (await isVacuous(observedCheck, all, emulator)))
          found.vacuous.push({
            name: observedCheck.name,
            reason: BEYOND_MUTANTS[observedCheck.check.id],
          });
      emulator.set(undefined);

      expect(found.vacuous.filter(({ reason }) => reason === undefined)).toEqual([]);
    });

    it('leave no fault in the self-test report', ({ task }) => {
      task.meta.selftestReport = reportOf();

      expect(faultsOf(reportOf())).toEqual([]);
    });
  });
