import type { Pool } from '../kit/run/pool.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';
import type { Job, JobResult, ObservedCheck } from './bench.ts';
import { type ShapeMutant, shapeMutants } from './shape-mutants.ts';

/**
 * Shape mutants that no check can detect, with the reason. The self-test fails when a listed mutant is detected, or
 * when an undetected one is not listed.
 */
const UNNOTICED: Readonly<Record<string, string>> = {
  'getAccountContext 404 answers 410 for 404': 'a valid key always belongs to an account',
  'getAccountContext 404 gives 404 a body': 'a valid key always belongs to an account',
};

/** The most requests of a check: what needs more says more than one sentence. */
const MAX_REQUESTS = 60;

/** What a self-test tries. */
interface SelftestQuestion {
  /** The checks, by id. */
  readonly ids: readonly string[];
  /** The places of the mutants of the emulator in their list. */
  readonly mutants: readonly number[];
  /** Whether to spoil the responses of an operation. */
  isSpoiled(operation: string): boolean;
  /** Whether each check must fail for some mutant. */
  readonly isWhole: boolean;
}

type SelftestPool = Pick<Pool<Job, JobResult>, 'runAll'>;

/** Slower checks come last, because they take too long to repeat a thousand times. */
const SLOW_MS = 1_500;

const cellOf = ({ operation, status }: Pick<ShapeMutant, 'operation' | 'status'>): string =>
  `${operation.id} ${status}`;

/**
 * Shows that the checks find errors: each check passes alone on an emulator whose lists are empty; each mutant of the
 * emulator fails the checks that its `noticedBy` names; each response spoiled in one place fails some check; and each
 * check fails at least once. No check sends more than `MAX_REQUESTS`.
 */
export async function runSelftest(
  question: SelftestQuestion,
  pool: SelftestPool,
): Promise<SelftestReport> {
  const { ids, isWhole } = question;
  const observed: ObservedCheck[] = [];
  const failing: string[] = [];
  const alone = ids.map((id): Job => ({ kind: 'alone', id }));
  await pool.runAll(alone, ({ red, observed: one }) => {
    failing.push(...red);
    if (one) observed.push(one);
  });
  const failed = new Set<string>();
  const mutants: SelftestReport['mutants'][number][] = [];
  const responses: SelftestReport['responses'][number][] = [];
  await pool.runAll(jobsOf(question, observed), ({ job, red }) => {
    for (const id of red) failed.add(id);
    if (job.kind === 'mutant') mutants.push(mutantResult(job, red));
    else if (job.kind === 'spoiled') responses.push(responseResult(job, red));
  });
  const vacuous: string[] = [];
  const unfailed = observed.filter(({ id }) => isWhole && !failed.has(id));
  await pool.runAll(unfailed.map(everyMutantOf), ({ job, red }) => {
    if (job.kind === 'each' && red.length === 0) vacuous.push(job.id);
  });
  const long = observed
    .filter(({ requests }) => requests > MAX_REQUESTS)
    .map(({ id, requests }) => `${id} sends ${requests} requests, more than ${MAX_REQUESTS}`);
  return { mutants, responses, vacuous, failing, long, checks: ids.length };
}

/** The mutants of the emulator on the checks that must notice them, and those of responses on the checks that see them. */
function jobsOf({ ids, mutants, isSpoiled }: SelftestQuestion, observed: readonly ObservedCheck[]) {
  const asked = new Set(ids);
  const ofMutants = mutants.flatMap((mutant): Job[] => {
    const wanted = (MUTANTS[mutant] as Mutant).noticedBy.filter((id) => asked.has(id));
    return wanted.length === 0 ? [] : [{ kind: 'mutant', mutant, ids: wanted }];
  });
  const ofShapes = shapeMutants().flatMap((mutant, place): Job[] => {
    if (!isSpoiled(mutant.operation.id)) return [];
    const near = candidatesFor(mutant, observed).map(({ id }) => id);
    return [{ kind: 'spoiled', mutant: place, ids: near }];
  });
  return [...ofMutants, ...ofShapes];
}

/** The checks that receive what a mutant changes: first those that assert it, then the others, faster ones first. */
function candidatesFor(mutant: ShapeMutant, observed: readonly ObservedCheck[]) {
  const cell = cellOf(mutant);
  const rank = ({ insists, milliseconds }: ObservedCheck) =>
    (insists.includes(cell) ? 0 : 1e9) + (milliseconds > SLOW_MS ? 1e6 : 0) + milliseconds;
  return observed
    .filter(({ sees }) => sees.includes(cell))
    .toSorted((left, right) => rank(left) - rank(right));
}

/** All mutants of the responses that a check uses, first of those that it asserts. */
function everyMutantOf({ id, sees, insists }: ObservedCheck): Job {
  const near = [...shapeMutants().entries()].filter(([, mutant]) => sees.includes(cellOf(mutant)));
  const isFirst = ([, mutant]: (typeof near)[number]) => insists.includes(cellOf(mutant));
  const ordered = [...near.filter(isFirst), ...near.filter((one) => !isFirst(one))];
  return { kind: 'each', id, mutants: ordered.map(([place]) => place) };
}

function mutantResult({ mutant, ids }: Extract<Job, { kind: 'mutant' }>, red: readonly string[]) {
  const { about } = MUTANTS[mutant] as Mutant;
  const missedBy = ids.filter((id) => !red.includes(id));
  return { about, isNoticed: red.length > 0, missedBy };
}

function responseResult(job: Extract<Job, { kind: 'spoiled' }>, red: readonly string[]) {
  const mutant = shapeMutants()[job.mutant] as ShapeMutant;
  const name = `${cellOf(mutant)} ${mutant.about}`;
  return { name, isNoticed: red.length > 0, reason: UNNOTICED[name] };
}

/** The result of a self-test. */
export interface SelftestReport {
  /** Mutants of the emulator, with those of the checks that must notice them that did not. */
  readonly mutants: readonly {
    readonly about: string;
    readonly isNoticed: boolean;
    readonly missedBy: readonly string[];
  }[];
  /** Responses spoiled in one place. */
  readonly responses: readonly {
    readonly name: string;
    readonly isNoticed: boolean;
    /** The reason why no check can notice it; undefined when a check should. */
    readonly reason: string | undefined;
  }[];
  /** Checks that no mutant made fail. */
  readonly vacuous: readonly string[];
  /** Checks that do not pass alone, on a correct emulator whose lists are empty. */
  readonly failing: readonly string[];
  /** Checks that send more requests than they may, with their number. */
  readonly long: readonly string[];
  /** The number of tested checks. */
  readonly checks: number;
}

/** The defects of the suite, one line each. */
export function faultsOf({
  mutants,
  responses,
  vacuous,
  failing,
  long,
}: SelftestReport): readonly string[] {
  return [
    ...long,
    ...failing.map(
      (id) => `${id} does not pass alone, on a correct emulator whose lists are empty`,
    ),
    ...mutants.flatMap(({ about, missedBy }) =>
      missedBy.map((id) => `${id} does not notice ${about}`),
    ),
    ...responses
      .filter(({ isNoticed, reason }) => !isNoticed && reason === undefined)
      .map(({ name }) => `nobody notices ${name}, and no reason is given`),
    ...responses
      .filter(({ isNoticed, reason }) => isNoticed && reason !== undefined)
      .map(({ name }) => `${name} is noticed, so its reason must go`),
    ...vacuous.map((id) => `vacuous: no mutant turns ${id} red`),
  ];
}

export function selftestText(report: SelftestReport): string {
  const { mutants, responses, vacuous, checks } = report;
  const noticedOf = (all: readonly { readonly isNoticed: boolean }[]) =>
    `${all.filter(({ isNoticed }) => isNoticed).length} of ${all.length} mutants noticed`;
  return [
    `Emulator  ${noticedOf(mutants)}`,
    `Answers   ${noticedOf(responses)}`,
    `Checks    ${checks - vacuous.length} of ${checks} failed for some mutant`,
    ...responses
      .filter(({ reason }) => reason !== undefined)
      .map(({ name, reason }) => `  ${name}: ${reason}`),
    ...faultsOf(report).map((fault) => `✗ ${fault}`),
    '',
  ].join('\n');
}
