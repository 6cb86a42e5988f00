import { blankRecord, type CheckRecord, isWrong, type ShapeRecord } from '../check-run.ts';
import { type OperationId, operationOf } from '../operations.ts';
import type { Outcome } from '../outcome.ts';
import { addCheck, type CheckEntry, citations, registry } from '../registry.ts';
import type { ExitRecord } from './verdict.ts';

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

/** How many checks had each outcome. */
export type Totals = Readonly<Partial<Record<Outcome, number>>>;

export function totalsOf(checks: readonly CheckRecord[]): Totals {
  const totals: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of checks) totals[outcome] = (totals[outcome] ?? 0) + 1;
  return totals;
}

export type RequirementRecord = ReturnType<typeof requirementRecords>[number];

type RequirementOutcome = 'met' | 'broken' | 'refuted' | 'partial' | 'not_run' | 'not_tested';

/** The outcome of every requirement. It is met only when all its checks passed. */
export function requirementRecords(checks: readonly CheckRecord[]) {
  const outcomes = new Map(checks.map(({ id, outcome }) => [id, outcome]));
  const cited = citations();
  return [...registry().requirements.values()].map((requirement) => {
    const { id, text, level, section, not_tested: reason } = requirement;
    const citing = cited.get(id) ?? [];
    const found = citing.flatMap((check) => outcomes.get(check) ?? []);
    const outcome = reason === undefined ? requirementOutcome(found) : 'not_tested';
    return { id, text, level, section, outcome, reason, checks: citing };
  });
}

const GOOD = new Set<Outcome>(['pass', 'confirmed']);

function requirementOutcome(outcomes: readonly Outcome[]): RequirementOutcome {
  if (outcomes.includes('fail')) return 'broken';
  if (outcomes.includes('refuted')) return 'refuted';
  const good = outcomes.filter((outcome) => GOOD.has(outcome)).length;
  if (good === 0) return 'not_run';
  return good === outcomes.length ? 'met' : 'partial';
}

/** The sentence of a run for quotation: it conforms only if every testable requirement was met. */
export function claimOf(all: readonly RequirementRecord[], { code }: ExitRecord): string {
  const musts = all.filter(({ level, outcome }) => level === 'MUST' && outcome !== 'not_tested');
  const count = (wanted: string) => musts.filter(({ outcome }) => outcome === wanted).length;
  const [met, broken] = [count('met'), count('broken')];
  const share = `${met} of ${musts.length} MUST requirements met`;
  if (broken > 0) return `not conformant: ${broken} broken, ${share}`;
  return `${code === 0 && met === musts.length ? 'conformant' : 'partial'}: ${share}`;
}

/** The verdict on every assumption about what the specification leaves open. */
export function assumptionSummaries(checks: readonly CheckRecord[]) {
  const shapes = checks.flatMap((check) => check.shapes).filter(({ kind }) => kind === 'refuted');
  const shown = shownOperations(checks);
  return [...registry().assumptions.values()].map(({ id, title, weight, kind }) => {
    const probes = checks.filter(({ assumptions }) => assumptions.some((one) => one.id === id));
    const found = probes.flatMap(({ assumptions }) => assumptions.filter((one) => one.id === id));
    const wrong = shapes.filter(({ assumptions }) => assumptions.includes(id));
    const details = [
      ...found.flatMap(({ detail }) => detail ?? []),
      ...wrong.map(({ operation, status, finding }) => `${operation} ${status}: ${finding}`),
    ];
    const isRefuted = wrong.length > 0 || found.some(({ verdict }) => verdict === 'refuted');
    const isShown = kind === 'shape' && shown.has(id);
    const isConfirmed = found.length > 0 || isShown;
    const verdict = isRefuted ? 'refuted' : isConfirmed ? 'confirmed' : 'unobserved';
    const names = [
      ...probes.map(({ id: name }) => name),
      ...(isShown ? ['shape of responses'] : []),
    ];
    return {
      id,
      title,
      weight,
      verdict,
      details: [...new Set(details)],
      probes: [...new Set(names)],
    };
  });
}

/** Assumptions about shapes that an asserted success has confirmed. */
function shownOperations(checks: readonly CheckRecord[]): ReadonlySet<string> {
  const succeeded = checks
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ asserted, status }) => asserted && status < 300)
    .map(({ operation }) => operation);
  return new Set(
    [...new Set(succeeded)].flatMap(
      (operation) => operationOf(operation as OperationId).assumptions,
    ),
  );
}

interface DriftLine extends Omit<ShapeRecord, 'kind'> {
  readonly count: number;
}

/** Where the target differs from the assumptions, and the behaviour that was observed. */
export function driftOf(checks: readonly CheckRecord[]) {
  const lines = new Map<string, DriftLine & { readonly kind: string }>();
  for (const { kind, ...shape } of checks.flatMap(({ shapes }) => shapes)) {
    const key = `${kind} ${shape.operation} ${shape.status} ${shape.finding}`;
    lines.set(key, { kind, ...shape, count: (lines.get(key)?.count ?? 0) + 1 });
  }
  const ofKind = (...kinds: readonly string[]): readonly DriftLine[] =>
    [...lines.values()]
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ kind: _, ...line }) => line);
  return {
    /** Responses whose shape differs from the assumptions or the specification. */
    shapes: ofKind('refuted', 'broken', 'status'),
    undeclared: ofKind('undeclared'),
    observations: checks.flatMap(({ id: check, observations }) =>
      observations.map((observation) => ({ check, ...observation })),
    ),
  };
}
