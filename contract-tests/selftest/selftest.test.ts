import { expect, it } from 'vitest';
import { gatherCases } from '../kit/check.ts';
import { operationOf } from '../kit/operations.ts';
import { MUTANTS } from '../mutants/index.ts';
import { sampled } from '../testing/runs.ts';
import { closedAfterTest } from '../testing/server.ts';
import { Bench, type Job, type JobResult } from './bench.ts';
import { faultsOf, type SelftestReport } from './report.ts';
import { runSelftest } from './selftest.ts';

/** Far above the expected time, so that a slow machine does not fail the test. */
const TIMEOUT_MS = 3_600_000;

const sound: SelftestReport = {
  schema: 'billing-emulator/contract-selftest',
  semantic: [{ about: 'm', result: 'killed', killedBy: ['VND-04'], missedBy: [] }],
  shapes: [{ name: 'getVendor 200 drops id', result: 'killed', reason: undefined }],
  ...{ vacuous: [], failing: [], long: [], checks: 1, isWhole: true },
};

/** `contract selftest` in short: every sixth check alone, every sixth mutant, spoiled responses about assets. */
it('the checks pass alone on a correct emulator, and notice mutants and spoiled responses', {
  timeout: TIMEOUT_MS,
}, async () => {
  const ids = (await gatherCases()).map(({ id }) => id);
  const bench = closedAfterTest(await Bench.open());
  const inTurn = {
    async runAll(jobs: readonly Job[], done: (result: JobResult) => void) {
      for (const job of jobs) done(await bench.answer(job));
    },
  };
  const mutants = sampled([...MUTANTS.keys()], 6);
  const wanted = new Set(mutants.flatMap((place) => MUTANTS[place]?.noticedBy ?? []));
  const sample = new Set(sampled(ids, 6));
  const report = await runSelftest(
    {
      ids: ids.filter((id) => sample.has(id) || wanted.has(id) || id.startsWith('AST-')),
      mutants,
      isSpoiled: (operation) => operationOf(operation as never).path.startsWith('/assets'),
      isWhole: false,
    },
    inTurn,
  );

  expect(faultsOf(report)).toEqual([]);
  expect(report.semantic).toHaveLength(mutants.length);
  expect(report.shapes.filter(({ result }) => result === 'killed')).not.toEqual([]);
});

it('a check that no mutant fails is vacuous, one that fails is not, and one with many requests is long', async () => {
  const observed = {
    milliseconds: 1,
    requests: 61,
    sees: ['getVendor 200'],
    insists: ['getVendor 200'],
  };
  const bySpoiling = (killer: string) => ({
    async runAll(jobs: readonly Job[], done: (result: JobResult) => void) {
      for (const job of jobs) {
        const isRed = job.kind === 'each' && job.id === killer;
        done({
          ...{ job, tried: 1, red: isRed ? [killer] : [] },
          observed: job.kind === 'alone' ? { id: job.id, ...observed } : undefined,
        });
      }
    },
  });
  const question = { ids: ['VND-04'], mutants: [], isSpoiled: () => false, isWhole: true };
  const vacuousOf = async (killer: string) =>
    (await runSelftest(question, bySpoiling(killer))).vacuous;
  const { long } = await runSelftest(question, bySpoiling('none'));

  expect(await vacuousOf('VND-04')).toEqual([]);
  expect(await vacuousOf('none')).toEqual(['VND-04']);
  expect(long).toEqual(['VND-04 sends 61 requests, more than 60']);
});

it.each<[string, Partial<SelftestReport>, string]>([
  ['a vacuous check', { vacuous: ['X-99'] }, 'turns X-99 red'],
  ['a check that fails alone', { failing: ['X-14'] }, 'X-14 does not pass alone'],
  ['a check with many requests', { long: ['X-14 sends 61'] }, 'X-14 sends 61'],
  [
    'a mutant that one of its checks does not find',
    { semantic: [{ about: 'm', result: 'killed', killedBy: ['X-01'], missedBy: ['X-02'] }] },
    'X-02 does not notice m',
  ],
  [
    'a spoiled response that nobody notices',
    { shapes: [{ name: 's', result: 'survived', reason: undefined }] },
    'nobody notices s',
  ],
  [
    'a spoiled response that nobody sees',
    { shapes: [{ name: 's', result: 'void', reason: undefined }] },
    'nobody sees s',
  ],
  [
    'a reason that is not needed',
    { shapes: [{ name: 's', result: 'killed', reason: 'none can' }] },
    'its reason must go',
  ],
])('the self-test reports a fault for %s', (_, changes, fault) => {
  expect(faultsOf({ ...sound, ...changes }).join('\n')).toContain(fault);
  expect(faultsOf(sound)).toEqual([]);
});
