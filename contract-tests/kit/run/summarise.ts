import type { CheckRecord, ShapeRecord } from '../check-record.ts';
import { type OperationId, operationOf } from '../operations.ts';
import type { Outcome } from '../outcome.ts';
import { citations, registry } from '../registry.ts';
import type { ExitRecord } from './verdict.ts';

/** How many checks had each outcome. */
export type Totals = Readonly<Partial<Record<Outcome, number>>>;

export function totalsOf(checks: readonly CheckRecord[]): Totals {
  const totals: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of checks) totals[outcome] = (totals[outcome] ?? 0) + 1;
  return totals;
}

type RequirementRecord = ReturnType<typeof requirementRecords>[number];

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
