import { type CheckEntry, registry } from '../registry.ts';
import { blankRecord, type CheckRecord, isWrong, nameOfPart } from '../trial.ts';

/** The reason for a check that no case file defines. */
export const NO_CASE = 'no case is written for it';

/** The check of the shape of all responses of a run. */
export const WHOLE_RUN = 'X-22';

/** Adds the records that no case file reports: the check of all responses, and checks without a case or not reached. */
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
  const wrong = checks.flatMap(({ shapes }) => shapes).filter(isWrong);
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

/** Merges repeated runs of the same checks. Each run after the first uses the next seed. */
export function joinRepeats(
  runs: readonly (readonly CheckRecord[])[],
  firstSeed: number,
): CheckRecord[] {
  const joined = new Map<string, CheckRecord>();
  for (const [round, checks] of runs.entries())
    for (const check of checks) {
      const known = joined.get(nameOfPart(check));
      joined.set(nameOfPart(check), known ? joinTwo(known, check, firstSeed + round) : check);
    }
  return [...joined.values()];
}

/** Merges two runs of a check; the outcome is flaky if it changed. */
function joinTwo(known: CheckRecord, again: CheckRecord, seed: number): CheckRecord {
  known.exchanges.push(...again.exchanges);
  known.shapes.push(...again.shapes);
  known.waits.push(...again.waits);
  if (known.outcome === again.outcome || known.outcome === 'flaky') return known;
  return {
    ...known,
    outcome: 'flaky',
    reason: `${known.outcome} at first, ${again.outcome} with --shuffle-seed ${seed}`,
    failure: known.failure ?? again.failure,
  };
}
