import { Bench, type Job, type JobResult } from '../selftest/bench.ts';
import { runSelftest, type SelftestQuestion } from '../selftest/selftest.ts';
import { closedAfterTest } from './server.ts';

/** Runs a part of the self-test in this process, one job after another, with no condition on the whole. */
export async function selftestOf(question: Omit<SelftestQuestion, 'isWhole'>) {
  const bench = closedAfterTest(await Bench.open());
  const sequential = {
    async runAll(jobs: readonly Job[], done: (result: JobResult) => void) {
      for (const job of jobs) done(await bench.answer(job));
    },
  };
  return runSelftest({ ...question, isWhole: false }, sequential);
}
