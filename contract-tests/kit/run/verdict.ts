import { plural } from 'billing-emulator/internals';
import { TOO_FEW } from '../outcome.ts';
import { GONE } from '../run-check.ts';
import type { CheckRecord } from '../trial.ts';
import { isBeyondReach, type Preflight, sentenceOf } from './preflight.ts';
import type { ExitRecord } from './record.ts';

/** The exit codes. Usage, configuration and deadline are as for the emulator. */
export const EXIT_CODES = {
  met: 0,
  failure: 1,
  usage: 2,
  configuration: 3,
  safety: 10,
  drift: 11,
  vacuous: 12,
  narrow: 15,
  unreachable: 13,
  leftovers: 14,
  harness: 70,
  deadline: 124,
  interrupted: 130,
} as const;

/** The order of precedence when several apply. */
const ORDER = [130, 124, 70, 10, 13, 3, 12, 1, 15, 14];

export interface VerdictQuestion {
  readonly checks: readonly CheckRecord[];
  readonly found: Pick<Preflight, 'verdict'>;
  readonly assertedCells: number;
  readonly gateCells: number | undefined;
  /** The number of successful responses, of any operation. */
  readonly successes: number;
  readonly leftovers: readonly string[];
  /** What ended the run early: the deadline, or a signal. */
  readonly endedBy: 'deadline' | 'signal' | undefined;
  readonly crashes: readonly string[];
  /** Reasons why the run covered less than it states. */
  readonly narrow: readonly string[];
}

/** Decides the exit code of a run, with every reason that applies. */
export function decideExit(question: VerdictQuestion): ExitRecord {
  const reasons = [...reasonsOf(question)].sort(
    (one, other) => ORDER.indexOf(one.code) - ORDER.indexOf(other.code),
  );
  return { code: reasons[0]?.code ?? EXIT_CODES.met, reasons };
}

type Reason = ExitRecord['reasons'][number];

function* reasonsOf(question: VerdictQuestion): Generator<Reason> {
  const { checks, found, leftovers } = question;
  const isReached = !isBeyondReach(found);
  const count = (outcome: string) => checks.filter((check) => check.outcome === outcome).length;
  const noted = (note: string) => checks.some(({ notes }) => notes.includes(note));
  const reason = (code: number, text: string): Reason => ({ code, text });

  if (question.endedBy === 'signal')
    yield reason(EXIT_CODES.interrupted, 'The run was interrupted.');
  if (question.endedBy === 'deadline') yield reason(EXIT_CODES.deadline, 'The deadline passed.');
  for (const crash of question.crashes) yield reason(EXIT_CODES.harness, crash);
  if (count('harness_error') > 0)
    yield reason(
      EXIT_CODES.harness,
      `${count('harness_error')} checks of the suite are themselves at fault.`,
    );
  if (noted('safety stop')) yield reason(EXIT_CODES.safety, 'The run was stopped for safety.');
  if (!isReached) yield reason(EXIT_CODES.unreachable, sentenceOf(found.verdict));
  else if (noted(GONE)) yield reason(EXIT_CODES.unreachable, 'The target stopped answering.');
  const vacuous = isReached ? vacuousBecause(question) : undefined;
  if (vacuous !== undefined) yield reason(EXIT_CODES.vacuous, vacuous);
  const red = count('fail') + count('stale');
  if (red > 0) yield reason(EXIT_CODES.failure, `${plural(red, 'check')} failed.`);
  const untestable = checks.filter(
    ({ outcome, notes }) =>
      outcome === 'untestable' && !notes.includes(TOO_FEW) && !notes.includes(GONE),
  ).length;
  if (untestable > 0)
    yield reason(EXIT_CODES.failure, `${plural(untestable, 'check')} could not be tested.`);
  if (isReached) for (const sentence of question.narrow) yield reason(EXIT_CODES.narrow, sentence);
  if (leftovers.length > 0)
    yield reason(EXIT_CODES.leftovers, `${leftovers.length} objects were not removed.`);
}

/** Why a run proved nothing; undefined when it proved something. */
function vacuousBecause(question: VerdictQuestion): string | undefined {
  const { checks, assertedCells, gateCells, successes } = question;
  const ran = checks.filter(({ outcome }) => !['not_selected', 'not_observable'].includes(outcome));
  if (ran.length === 0) return 'No check ran.';
  if (ran.every(({ outcome }) => outcome === 'untestable')) return 'Nothing could be tested.';
  if (successes === 0) return 'Not one request succeeded, so nothing was seen at work.';
  if (gateCells !== undefined && assertedCells < gateCells)
    return `Only ${assertedCells} cells were asserted, of ${gateCells} asked for.`;
  return undefined;
}
