import { expect, it } from 'vitest';
import { gatherCases } from '../kit/check.ts';
import { operationOf } from '../kit/operations.ts';
import { MUTANTS } from '../mutants/index.ts';
import { sampled } from '../testing/runs.ts';
import { closedAfterTest } from '../testing/server.ts';
import { Bench, type Job, type JobResult } from './bench.ts';
import { faultsOf, runSelftest, type SelftestReport } from './selftest.ts';

/** Far above the expected time, so that a slow machine does not fail the test. */
const TIMEOUT_MS = 3_600_000;

const sound: SelftestReport = {
  mutants: [{ about: 'm', isNoticed: true, missedBy: [] }],
  responses: [{ name: 'getVendor 200 drops id', isNoticed: true, reason: undefined }],
  vacuous: [],
  failing: [],
  long: [],
  checks: 1,
};

/** Answers jobs in this process, one after another. */
const inTurn = (bench: Bench) => ({
  async runAll(jobs: readonly Job[], done: (result: JobResult) => void) {
    for (const job of jobs) done(await bench.answer(job));
  },
});

/**
 * `contract selftest` in short: every sixth mutant on the checks that must notice it, responses about assets on those
 * that receive them, and every sixth check.
 */
it('the checks pass alone on a correct emulator, and notice mutants and spoiled responses', {
  timeout: TIMEOUT_MS,
}, async () => {
  const mutants = sampled([...MUTANTS.keys()], 6);
  const all = (await gatherCases()).map(({ id }) => id);
  const noticing = mutants.flatMap((place) => MUTANTS[place]?.noticedBy ?? []);
  const wanted = new Set([...sampled(all, 6), ...noticing]);
  const ids = all.filter((id) => wanted.has(id) || /^AST-|^X-(01|04|05|84)$/.test(id));
  const isSpoiled = (operation: string) =>
    operationOf(operation as never).path.startsWith('/assets');
  const bench = closedAfterTest(await Bench.open());
  const report = await runSelftest({ ids, mutants, isSpoiled, isWhole: false }, inTurn(bench));

  expect(faultsOf(report)).toEqual([]);
  expect(report.mutants).toHaveLength(mutants.length);
  expect(report.responses).not.toEqual([]);
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
        const used = job.kind === 'alone' && { observed: { id: job.id, ...observed } };
        done({ job, red: isRed ? [killer] : [], ...used });
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
    { mutants: [{ about: 'm', isNoticed: true, missedBy: ['X-02'] }] },
    'X-02 does not notice m',
  ],
  [
    'a spoiled response that nobody notices',
    { responses: [{ name: 's', isNoticed: false, reason: undefined }] },
    'nobody notices s',
  ],
  [
    'a reason that is not needed',
    { responses: [{ name: 's', isNoticed: true, reason: 'none can' }] },
    'its reason must go',
  ],
])('the self-test reports a fault for %s', (_, changes, fault) => {
  expect(faultsOf({ ...sound, ...changes }).join('\n')).toContain(fault);
  expect(faultsOf(sound)).toEqual([]);
});
