/** What an outcome is in reports, and what it counts as: `failed` fails the run, `error` is a defect of the suite itself. */
interface OutcomeKind {
  readonly words: string;
  readonly counts: 'passed' | 'failed' | 'error' | 'skipped';
}

/** The possible outcomes of a check, in the order of reports. The error that it throws decides the outcome. */
export const OUTCOMES = {
  pass: { words: 'passed', counts: 'passed' },
  fail: { words: 'failed', counts: 'failed' },
  untestable: { words: 'untestable', counts: 'failed' },
  not_selected: { words: 'not selected', counts: 'skipped' },
  confirmed: { words: 'confirmed', counts: 'passed' },
  refuted: { words: 'refuted', counts: 'passed' },
  not_observable: { words: 'not observable', counts: 'skipped' },
  unstable: { words: 'unstable', counts: 'skipped' },
  harness_error: { words: 'errors of the suite', counts: 'error' },
} as const satisfies Readonly<Record<string, OutcomeKind>>;

export type Outcome = keyof typeof OUTCOMES;

/** Whether a check fails the run, or the suite itself has a defect. */
export const isRed = ({ outcome }: { readonly outcome: Outcome }): boolean =>
  ['failed', 'error'].includes(OUTCOMES[outcome].counts);

/** An error that ends a check early. Its name is its class name. */
abstract class CheckError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The target's response differs from the specification. */
export class ContractFailure extends CheckError {
  constructor(
    message: string,
    readonly differences: readonly string[] = [message],
  ) {
    super(message);
  }
}

/** A difference from the specification itself, which no assumption can excuse. */
export class SpecifiedBreak extends ContractFailure {}

/** A prerequisite is missing, so that the check proves nothing. */
export class Untestable extends CheckError {}

/** The behaviour is not visible from outside in this set-up. */
export class NotObservable extends CheckError {}

/** The target differs from an assumption on which the whole check rests, so that the rest cannot be seen. */
export class AssumedOtherwise extends NotObservable {}

/** A filter, a ceiling or a missing consent excludes the check. */
export class NotSelected extends CheckError {}

/** The suite itself has a defect. */
export class HarnessError extends CheckError {}

/** Continuing would be unsafe or exceed a budget. Ends the run. */
export class SafetyStop extends CheckError {}

/** The target sent no response. */
export class Unreachable extends CheckError {}

/** The response is not valid HTTP, for example because the connection was reset. This is a finding about the target. */
export class BrokenResponse extends CheckError {}

/** The response leads to a request that cannot be sent, or holds nothing to compare. */
export class UnusableResponse extends CheckError {}

/**
 * The outcome for an error that a check threw.
 *
 * @param isTargetToBlame whether the check has used responses of an external service, so that an unexpected error is a
 *   finding about them
 */
export function outcomeOf(error: unknown, isTargetToBlame = false): Outcome {
  if (error instanceof ContractFailure || error instanceof BrokenResponse) return 'fail';
  if (isAssertion(error)) return 'fail';
  if (error instanceof Untestable || error instanceof Unreachable) return 'untestable';
  if (error instanceof NotObservable) return 'not_observable';
  if (error instanceof NotSelected || error instanceof SafetyStop) return 'not_selected';
  return isTargetToBlame && !(error instanceof HarnessError) ? 'fail' : 'harness_error';
}

/** Whether the error is a failed `expect` of a check. */
export const isAssertion = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AssertionError';
