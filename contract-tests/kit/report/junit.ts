import { type JunitResult, junitXml } from 'billing-emulator/internals';
import type { RunRecord } from '../run/record.ts';
import type { CheckRecord } from '../trial.ts';
import { nameOfCheck } from '../trial.ts';

const KINDS: Readonly<Record<string, JunitResult['kind']>> = {
  exempt: 'skipped',
  not_selected: 'skipped',
  known: 'skipped',
  not_observable: 'skipped',
  fail: 'failure',
  untestable: 'failure',
  stale: 'failure',
  unstable: 'skipped',
  harness_error: 'error',
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
  const { milliseconds, level, effect, outcome, requirements, assumptions } = check;
  return {
    name: nameOfCheck(check),
    seconds: milliseconds / 1000,
    properties: [
      ['level', level],
      ['effect', effect],
      ['outcome', outcome],
      ...requirements.map((id) => ['requirement', id] as const),
      ...assumptions.map(({ id, verdict }) => ['assumption', `${id} ${verdict}`] as const),
    ] as const,
    result: resultOf(check),
  };
}

function resultOf({ outcome, reason, failure }: CheckRecord): JunitResult | undefined {
  const kind = KINDS[outcome];
  if (kind === undefined) return undefined;
  const message = failure?.differences[0] ?? reason ?? outcome;
  if (kind === 'skipped') return { kind, message };
  const detail = [...(failure?.differences ?? [reason ?? '']), failure?.curl ?? '']
    .join('\n')
    .trim();
  return { kind, type: outcome, message, detail };
}
