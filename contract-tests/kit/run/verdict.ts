import { plural } from 'billing-emulator/spec';
import type { CheckRecord } from '../check-record.ts';
import { GONE } from '../run-check.ts';
import { isBeyondReach, type Preflight, sentenceOf } from './preflight.ts';
import { ConfigurationError, SafetyRefusal } from './read-options.ts';

/** The exit codes. Usage and configuration are as for the emulator. */
export const EXIT_CODES = {
  met: 0,
  failure: 1,
  usage: 2,
  configuration: 3,
  safety: 10,
  drift: 11,
  vacuous: 12,
  unreachable: 13,
  leftovers: 14,
  harness: 70,
  interrupted: 130,
} as const;

/** The exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigurationError) return EXIT_CODES.configuration;
  return error instanceof SafetyRefusal ? EXIT_CODES.safety : EXIT_CODES.harness;
}

/** The order of precedence when several apply. */
const ORDER = [130, 70, 10, 13, 12, 1, 14];

/** Why a run ends as it does. */
interface Reason {
  readonly code: number;
  readonly text: string;
}

export type ExitRecord = ReturnType<typeof decideExit>;

export interface VerdictQuestion {
  readonly checks: readonly CheckRecord[];
  readonly found: Pick<Preflight, 'verdict'>;
  readonly leftovers: readonly string[];
  /** Whether a signal ended the run early. */
  readonly isInterrupted: boolean;
  /** What went wrong outside of checks. */
  readonly crashes: readonly string[];
}

/** Decides the exit code of a run, with every reason that applies, the decisive one first. */
export function decideExit(question: VerdictQuestion) {
  const reasons = [...reasonsOf(question)].sort(
    (one, other) => ORDER.indexOf(one.code) - ORDER.indexOf(other.code),
  );
  return { code: reasons[0]?.code ?? EXIT_CODES.met, reasons };
}

function* reasonsOf(question: VerdictQuestion): Generator<Reason> {
  const { checks, found, leftovers, isInterrupted, crashes } = question;
  const count = (outcome: string) => checks.filter((check) => check.outcome === outcome).length;
  const noted = (note: string) => checks.filter(({ notes }) => notes.includes(note));
  const reason = (code: number, text: string): Reason => ({ code, text });

  if (isInterrupted) yield reason(EXIT_CODES.interrupted, 'The run was interrupted.');
  for (const crash of crashes) yield reason(EXIT_CODES.harness, crash);
  const errors = count('harness_error');
  if (errors > 0)
    yield reason(EXIT_CODES.harness, `${plural(errors, 'check')} failed by a defect of the suite.`);
  if (noted('safety stop').length > 0)
    yield reason(EXIT_CODES.safety, 'The run was stopped for safety.');
  if (isBeyondReach(found)) {
    yield reason(EXIT_CODES.unreachable, sentenceOf(found.verdict));
    return;
  }
  if (noted(GONE).length > 0)
    yield reason(EXIT_CODES.unreachable, 'The target stopped responding.');
  if (!hasProved(checks))
    yield reason(
      EXIT_CODES.vacuous,
      'Nothing was proved: no check that ran got what it asked for.',
    );
  const red = count('fail');
  if (red > 0) yield reason(EXIT_CODES.failure, `${plural(red, 'check')} failed.`);
  const untestable = count('untestable') - noted(GONE).length;
  if (untestable > 0)
    yield reason(EXIT_CODES.failure, `${plural(untestable, 'check')} could not be tested.`);
  if (leftovers.length > 0)
    yield reason(EXIT_CODES.leftovers, `Not removed: ${plural(leftovers.length, 'object')}.`);
}

/** Whether a check could be tested, with a request that succeeded. */
const hasProved = (checks: readonly CheckRecord[]): boolean =>
  checks.some(({ outcome }) => !UNPROVED.has(outcome)) &&
  checks.some(({ exchanges }) => exchanges.some(({ status }) => status < 300));

const UNPROVED = new Set<CheckRecord['outcome']>(['not_selected', 'not_observable', 'untestable']);
