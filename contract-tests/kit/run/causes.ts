import { type CheckRecord, isWrong, nameOfCheck } from '../check-record.ts';
import { isRed, type Outcome } from '../outcome.ts';
import { registry } from '../registry.ts';
import { stableText } from '../target/redact.ts';
import { WHOLE_RUN } from './whole-run.ts';

/** Failed checks with one common cause. */
export type Cause = ReturnType<typeof causeOf>;

/** One defect of one operation, with the checks that found it. */
interface Symptom {
  readonly operation: string;
  /** The defect without its place in the response. */
  readonly defect: string;
  readonly difference: string;
  readonly checks: CheckRecord[];
}

/**
 * The causes of the failures, as few as possible: a field that is wrong in many places, or an operation with all its
 * defects. The cause of the most failures comes first.
 */
export function causesOf(checks: readonly CheckRecord[]): readonly Cause[] {
  const red = checks.filter(isRed);
  const causes: Cause[] = [];
  let rest: readonly Symptom[] = symptomsOf(red, checks);
  while (rest.length > 0) {
    const explained = largestGroup(rest);
    causes.push(causeOf(explained));
    rest = rest.filter((symptom) => !explained.includes(symptom));
  }
  return causes.sort((one, other) => other.checks.length - one.checks.length);
}

/** The largest group of symptoms with the same defect or the same operation. */
function largestGroup(symptoms: readonly Symptom[]): readonly Symptom[] {
  const groups = new Map<string, Symptom[]>();
  for (const symptom of symptoms)
    for (const key of [`defect ${symptom.defect}`, `operation ${symptom.operation}`])
      groups.set(key, [...(groups.get(key) ?? []), symptom]);
  const sizes = [...groups.values()].sort((one, other) => other.length - one.length);
  return sizes[0] as readonly Symptom[];
}

function symptomsOf(red: readonly CheckRecord[], all: readonly CheckRecord[]): readonly Symptom[] {
  const symptoms = new Map<string, Symptom>();
  const add = (check: CheckRecord, operation: string, difference: string): void => {
    const defect = defectIn(difference);
    const key = `${operation}\n${defect}`;
    const symptom = symptoms.get(key) ?? { operation, defect, difference, checks: [] };
    if (!symptom.checks.includes(check)) symptom.checks.push(check);
    symptoms.set(key, symptom);
  };
  for (const check of red) {
    const isWhole = check.id === WHOLE_RUN.id;
    const shapes = (isWhole ? all : [check]).flatMap((one) => one.shapes).filter(isWrong);
    for (const { operation, status, finding, kind } of shapes)
      add(check, operation, kind === 'status' ? `${status}: ${finding}` : finding);
    if (shapes.length > 0) continue;
    const { failure, reason } = check;
    for (const difference of failure?.differences ?? [reason ?? ''])
      add(check, failure?.operation ?? '', difference);
  }
  return [...symptoms.values()];
}

function causeOf(symptoms: readonly Symptom[]) {
  const checks = [...new Set(symptoms.flatMap((symptom) => symptom.checks))];
  const first = checks.find(({ id }) => id !== WHOLE_RUN.id) ?? (checks[0] as CheckRecord);
  const operations = [...new Set(symptoms.map(({ operation }) => operation))];
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  const outcome = (['harness_error', 'fail', 'untestable'] as const).find((one: Outcome) =>
    outcomes.has(one),
  );
  return {
    outcome: outcome ?? first.outcome,
    /** The first operation where it was seen, and all of them. */
    operation: operations[0] as string,
    operations,
    requirement: closestRequirement(checks, operations[0]),
    difference: firstOf([...new Set(symptoms.map(({ difference }) => difference))]),
    checks: checks.map(nameOfCheck),
    curl: first.failure?.curl,
  };
}

/**
 * What is wrong, without where and in which way: a field that is missing or of a wrong type anywhere in a body is one
 * defect, and so is a field with wrong values.
 */
function defectIn(difference: string): string {
  const valued = /^(?:[\s\S]*?[^\w])?([A-Za-z_]\w*)(?:\[\d*\])*: the service /.exec(difference);
  if (valued && valued[1] !== 'status') return `${valued[1]} differs`;
  const shaped =
    /^(?:\d{3}: )?(?:[\w[\]]+\.)*(\w+)(?:\[\])* (is (?:missing|not|no) ?.*|breaks .*)$/.exec(
      difference,
    );
  if (shaped) return `${shaped[1]} ${shaped[2]}`;
  const [, compared] = /^(?!status:)([\s\S]*): the service /.exec(difference) ?? [];
  return stableText(compared === undefined ? difference : `${compared} differs`);
}

const SHOWN_DIFFERENCES = 3;

function firstOf(differences: readonly string[]): string {
  const more = differences.length - SHOWN_DIFFERENCES;
  const shown = differences.slice(0, SHOWN_DIFFERENCES).join('; ');
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

/** The first requirement about the operation; the first of all if none is. */
function closestRequirement(checks: readonly CheckRecord[], operation = ''): string {
  const ids = checks.flatMap(({ requirements }) => requirements);
  const about = ids.find((id) => {
    const { operations } = registry().requirements.get(id) ?? {};
    return Array.isArray(operations) && operations.includes(operation);
  });
  return about ?? ids[0] ?? '';
}
