import { type JunitResult, junitXml } from 'billing-emulator/spec';
import type { Outcome } from '../outcome.ts';
import type { RunRecord } from '../run/record.ts';
import { type CheckRecord, nameOfCheck } from '../trial.ts';

const KINDS: Readonly<Partial<Record<Outcome, JunitResult['kind']>>> = {
  ...{ not_selected: 'skipped', known: 'skipped', not_observable: 'skipped', unstable: 'skipped' },
  ...{ fail: 'failure', untestable: 'failure', stale: 'failure', harness_error: 'error' },
};

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
  const kind = KINDS[outcome];
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
