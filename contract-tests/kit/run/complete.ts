import { type CheckEntry, registry } from '../registry.ts';
import { blankRecord, type CheckRecord, nameOfPart } from '../trial.ts';

/** Why a check did not run that no case file holds. */
export const NO_CASE = 'no case is written for it';

/** The check that is about every answer of a run. */
export const WHOLE_RUN = 'X-22';

/** Adds what no case reports: the check about all answers, and checks without a case or not reached. */
export function complete(checks: readonly CheckRecord[], isCutShort = false): CheckRecord[] {
  const reason = isCutShort ? 'the run ended before it' : NO_CASE;
  const written = new Set(checks.flatMap(({ ids }) => ids));
  const missing = [...registry().checks.values()]
    .filter(({ id }) => !written.has(id) && id !== WHOLE_RUN)
    .map((entry) => blankRecord([entry], { outcome: 'not_selected', reason }));
  return [...checks, wholeRun(checks), ...missing];
}

function wholeRun(checks: readonly CheckRecord[]): CheckRecord {
  const entry = registry().checks.get(WHOLE_RUN) as CheckEntry;
  const wrong = checks
    .flatMap(({ shapes }) => shapes)
    .filter(({ kind }) => kind === 'broken' || kind === 'status');
  const hasAnswers = checks.some(({ exchanges }) => exchanges.length > 0);
  if (!hasAnswers)
    return blankRecord([entry], { outcome: 'not_selected', reason: 'no answer was seen' });
  if (wrong.length === 0) return blankRecord([entry]);
  const differences = [
    ...new Set(wrong.map(({ operation, status, finding }) => `${operation} ${status}: ${finding}`)),
  ].sort();
  const [first] = wrong;
  return blankRecord([entry], {
    outcome: 'fail',
    failure: {
      message: `${differences.length} kinds of answer do not fit the interface description`,
      operation: first?.operation,
      status: first?.status,
      differences,
      curl: undefined,
    },
  });
}

/** Joins repeated runs of the same checks: a verdict that changed is flaky. */
export function joinRepeats(runs: readonly (readonly CheckRecord[])[]): CheckRecord[] {
  const joined = new Map<string, CheckRecord>();
  for (const check of runs.flat()) {
    const known = joined.get(nameOfPart(check));
    if (!known) joined.set(nameOfPart(check), check);
    else joined.set(nameOfPart(check), joinTwo(known, check));
  }
  return [...joined.values()];
}

function joinTwo(known: CheckRecord, again: CheckRecord): CheckRecord {
  known.exchanges.push(...again.exchanges);
  known.shapes.push(...again.shapes);
  known.waits.push(...again.waits);
  if (known.outcome === again.outcome || known.outcome === 'flaky') return known;
  return {
    ...known,
    outcome: 'flaky',
    reason: `${known.outcome} in one round, ${again.outcome} in another`,
    failure: known.failure ?? again.failure,
  };
}
