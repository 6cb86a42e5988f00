import { workerData } from 'node:worker_threads';
import { gatherCases } from '../check.ts';
import type { CheckRecord } from '../check-record.ts';
import type { RunPlan } from '../plan.ts';
import { beginSession } from '../target/session.ts';
import { answerJobs } from './pool.ts';

/** What a thread of a run is given. */
export interface RunWorkerData {
  readonly plan: RunPlan;
  readonly thread: number;
}

const { plan, thread } = workerData as RunWorkerData;
const checks = new Map((await gatherCases()).map((check) => [check.id, check]));
const { redactor } = beginSession(plan, thread);

answerJobs<string, CheckRecord>(async (id) => {
  const record = await checks.get(id)?.run();
  return redactor.all(record as CheckRecord);
});
