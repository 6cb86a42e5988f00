import { junitXml } from 'billing-emulator/spec';
import { type CheckRecord, nameOfCheck } from '../check-run.ts';
import { OUTCOMES } from '../outcome.ts';
import type { RunRecord } from '../run/record.ts';

const KINDS = { passed: undefined, failed: 'failure', error: 'error', skipped: 'skipped' } as const;

/** The run as JUnit XML: a case for each check, grouped by resource. */
export function junitReport({ checks, runId, startedAt }: RunRecord): string {
  const resources = [...new Set(checks.map(({ resource }) => resource))];
  const suites = resources.map((name) => ({
    name,
    timestamp: startedAt,
    cases: checks.filter(({ resource }) => resource === name).map(caseOf),
  }));
  return junitXml(suites, `contract ${runId}`);
}

function caseOf(check: CheckRecord) {
  const { milliseconds, level, effect, outcome, requirements, reason, failure } = check;
  const kind = KINDS[OUTCOMES[outcome].counts];
  const lines = failure?.differences ?? [reason ?? outcome];
  const message = lines[0] as string;
  const detail = [...lines, failure?.curl ?? ''].join('\n').trim();
  const result =
    kind === 'skipped' ? { kind, message } : kind && { kind, type: outcome, message, detail };
  const requirement = requirements.map((id) => ['requirement', id] as const);
  const own = [
    ['level', level],
    ['effect', effect],
    ['outcome', outcome],
  ] as const;
  const properties = [...own, ...requirement];
  return { name: nameOfCheck(check), seconds: milliseconds / 1000, properties, result };
}
