import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';

/** Threads that run the same module, which answers one job after another with `answerJobs`. */
export interface Pool<Job, Result> {
  /**
   * Runs the jobs in order, each on the next free thread.
   *
   * @param done receives each result as it comes
   * @param signal when it aborts, no further job is begun
   * @throws Error when a thread ends by an error; its job has no result
   */
  runAll(jobs: readonly Job[], done: (result: Result) => void, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** @param data what the module reads as `workerData`, of each thread by its number, which begins with 1 */
export function openPool<Job, Result>(
  module: URL,
  count: number,
  data: (thread: number) => unknown,
): Pool<Job, Result> {
  const threads = Array.from(
    { length: count },
    (_, place) => new Worker(module, { workerData: data(place + 1) }),
  );
  return {
    async runAll(jobs, done, signal) {
      const left = [...jobs];
      const work = async (thread: Worker): Promise<void> => {
        while (left.length > 0 && signal?.aborted !== true) {
          thread.postMessage(left.shift());
          // A thread that ends by an error makes this throw.
          const [result] = await once(thread, 'message');
          done(result as Result);
        }
      };
      await Promise.all(threads.map(work));
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** Answers the jobs of a pool, on one of its threads. */
export function answerJobs<Job, Result>(answer: (job: Job) => Promise<Result>): void {
  parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await answer(job)));
}
