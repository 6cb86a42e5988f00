import { type GatheredCheck, gatherCases } from '../kit/check.ts';
import { isRed } from '../kit/outcome.ts';
import { planOfOurs } from '../kit/plan.ts';
import { beginSession } from '../kit/target/session.ts';
import { startMutant } from '../mutants/emulator.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';
import {
  type ShapeMutant,
  type SpoiledEmulator,
  shapeMutants,
  startSpoiledEmulator,
} from './shape-mutants.ts';

/** A piece of a self-test. Checks are named by id, mutants by their place in their list. */
export type Job =
  /** Runs a check alone, on a correct emulator whose lists are empty. */
  | { readonly kind: 'alone'; readonly id: string }
  /** Runs checks on an emulator with a defect. */
  | { readonly kind: 'mutant'; readonly mutant: number; readonly ids: readonly string[] }
  /** Tries checks on responses spoiled in one place, until one of them fails. */
  | { readonly kind: 'spoiled'; readonly mutant: number; readonly ids: readonly string[] }
  /** Tries responses spoiled in one place on a check, until it fails. */
  | { readonly kind: 'each'; readonly id: string; readonly mutants: readonly number[] };

export interface JobResult {
  readonly job: Job;
  /** The checks that failed. */
  readonly red: readonly string[];
  /** What a check that passed alone has used. */
  readonly observed?: ObservedCheck;
}

/** A check with the responses that it uses, from one run against a correct target. */
export interface ObservedCheck {
  readonly id: string;
  readonly milliseconds: number;
  readonly requests: number;
  /** Operations with status that it receives, and those that it asserts. */
  readonly sees: readonly string[];
  readonly insists: readonly string[];
}

const KEY = 'key_test_selftest';
/** Factor on waiting times: what a mutant does not do within seconds, it never does. */
const IMPATIENT = { waitFactor: 0.3 };
/** The number of runs on spoiled responses after which no more are tried. */
const MAX_TRIES = 60;

/** Answers the jobs of a self-test, one after another, on a correct emulator that spoils responses when told to. */
export class Bench {
  #count = 0;
  readonly #shapes = shapeMutants();

  private constructor(
    private readonly checks: ReadonlyMap<string, GatheredCheck>,
    private readonly emulator: SpoiledEmulator,
  ) {}

  static async open(): Promise<Bench> {
    const gathered = await gatherCases();
    const checks = new Map(gathered.map((check) => [check.id, check]));
    return new Bench(checks, await startSpoiledEmulator());
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  async answer(job: Job): Promise<JobResult> {
    if (job.kind === 'alone') return this.#runAlone(job);
    if (job.kind === 'mutant')
      return { job, red: await this.#runOnMutant(MUTANTS[job.mutant] as Mutant, job.ids) };
    const tries =
      job.kind === 'spoiled'
        ? job.ids.map((id) => [id, job.mutant] as const)
        : job.mutants.map((mutant) => [job.id, mutant] as const);
    return { job, red: await this.#trySpoiled(tries) };
  }

  #run(id: string) {
    return (this.checks.get(id) as GatheredCheck).run();
  }

  async #runAlone(job: Extract<Job, { kind: 'alone' }>): Promise<JobResult> {
    const { id } = job;
    this.emulator.set(undefined);
    beginSession(planOfOurs({ ...this.emulator, key: `key_test_alone-${++this.#count}` }));
    const { exchanges, milliseconds, outcome } = await this.#run(id);
    if (outcome !== 'pass') return { job, red: [id] };
    const cells = (wanted: typeof exchanges) => [
      ...new Set(wanted.map(({ operation, status }) => `${operation} ${status}`)),
    ];
    const insists = cells(exchanges.filter(({ asserted }) => asserted));
    const requests = exchanges.length;
    const observed = { id, milliseconds, requests, sees: cells(exchanges), insists };
    return { job, red: [], observed };
  }

  async #runOnMutant(mutant: Mutant, ids: readonly string[]): Promise<readonly string[]> {
    const target = await startMutant(mutant);
    beginSession(planOfOurs({ ...target, key: KEY }, IMPATIENT));
    const red: string[] = [];
    for (const id of ids) if (isRed(await this.#run(id))) red.push(id);
    await target.close();
    return red;
  }

  async #trySpoiled(
    tries: readonly (readonly [id: string, mutant: number])[],
  ): Promise<readonly string[]> {
    // Names that are made twice in one world would already exist.
    const runId = `s${++this.#count}`;
    beginSession(planOfOurs({ ...this.emulator, key: KEY }, { ...IMPATIENT, runId }));
    let tried = 0;
    for (const [id, mutant] of tries) {
      this.emulator.set(this.#shapes[mutant] as ShapeMutant);
      const record = await this.#run(id);
      if (this.emulator.spoiled === 0) continue;
      if (isRed(record)) return [id];
      tried += 1;
      if (tried >= MAX_TRIES) break;
    }
    return [];
  }
}
