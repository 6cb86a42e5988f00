import { blankRecord, type CheckRecord, isWrong } from '../check-record.ts';
import { addCheck, type CheckEntry, registry } from '../registry.ts';

/** The check of the shape of all responses of a run, which no case file makes. */
export const WHOLE_RUN: CheckEntry = {
  id: 'X-22',
  title:
    'every response of the run conforms to the OpenAPI document: declared status, required fields, types, closed ' +
    'enumerations; a violation of an assumed part counts as refuted, not as failed',
  level: 'MUST',
  effect: 'E0',
  resource: 'cross-cutting',
  assumes: [],
  needs: [],
  requirements: [
    'R-ACC-05',
    'R-ACC-15',
    'R-CONV-04',
    'R-CUS-09',
    'R-CUS-13',
    'R-ERR-11',
    'R-EVT-16',
    'R-EVT-20',
    'R-EVT-24',
    'R-PRD-50',
    'R-PRF-04',
    'R-PRF-10',
    'R-SUB-01',
    'R-SUB-02',
    'R-TSK-11',
    'R-TSK-17',
    'R-TSK-18',
    'R-VND-12',
    'R-WAL-03',
    'R-WAL-42',
    'R-WAL-45',
    'R-WAL-50',
    'R-WHK-01',
    'R-WHK-02',
    'R-WHK-05',
    'R-WHK-06',
    'R-WHK-08',
  ],
};

addCheck(WHOLE_RUN);

/** Adds the records that no thread reports: the check of all responses, and checks that were not reached. */
export function complete(checks: readonly CheckRecord[]): CheckRecord[] {
  const reached = new Set([WHOLE_RUN.id, ...checks.map(({ id }) => id)]);
  const missing = [...registry().checks.values()]
    .filter(({ id }) => !reached.has(id))
    .map((entry) =>
      blankRecord(entry, { outcome: 'not_selected', reason: 'the run ended before it' }),
    );
  return [...checks, wholeRun(checks), ...missing];
}

function wholeRun(checks: readonly CheckRecord[]): CheckRecord {
  const wrong = checks.flatMap(({ shapes }) => shapes).filter(isWrong);
  const hasAnswers = checks.some(({ exchanges }) => exchanges.length > 0);
  if (!hasAnswers)
    return blankRecord(WHOLE_RUN, { outcome: 'not_selected', reason: 'no request got a response' });
  const [first] = wrong;
  if (first === undefined) return blankRecord(WHOLE_RUN);
  const differences = new Set(
    wrong.map(({ operation, status, finding }) => `${operation} ${status}: ${finding}`),
  );
  const { operation, status } = first;
  const failure = { operation, status, differences: [...differences].sort(), curl: undefined };
  return blankRecord(WHOLE_RUN, { outcome: 'fail', failure });
}
