import { answerJobs } from '../kit/run/pool.ts';
import { Bench, type Job, type JobResult } from './bench.ts';

const bench = await Bench.open();
answerJobs<Job, JobResult>((job) => bench.answer(job));
