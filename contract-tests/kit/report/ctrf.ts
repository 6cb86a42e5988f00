import { RED } from '../outcome.ts';
import { nameOfFailure } from '../run/baseline.ts';
import type { RunRecord } from '../run/record.ts';
import type { CheckRecord } from '../trial.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

const SPEC_VERSION = '1.0.0';

/** The run in the Common Test Report Format. What did not run is skipped there, never passed. */
export function ctrfJson(record: RunRecord): string {
  const { checks, kitVersion, startedAt, finishedAt, claim } = record;
  const tests = checks.map(testOf);
  const count = (wanted: Status) => tests.filter(({ status }) => status === wanted).length;
  const [start, stop] = [Date.parse(startedAt), Date.parse(finishedAt)];
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: count('other'),
    ...{ start, stop, duration: stop - start },
  };
  const tool = { name: 'billing-emulator contract', version: kitVersion };
  const document = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: finishedAt,
    generatedBy: tool.name,
    results: { tool, summary, tests, extra: { claim } },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function testOf(check: CheckRecord) {
  const { outcome, resource, level, effect, requirements, milliseconds, reason, failure } = check;
  const message = failure?.message ?? reason;
  return {
    name: nameOfFailure(check),
    status: statusOf(check),
    duration: milliseconds,
    suite: [resource],
    rawStatus: outcome,
    tags: [level, effect],
    ...(message !== undefined && { message }),
    extra: { requirements },
  };
}

function statusOf({ outcome }: CheckRecord): Status {
  if (RED.has(outcome)) return 'failed';
  if (outcome === 'pass' || outcome === 'confirmed') return 'passed';
  return outcome === 'warn' || outcome === 'refuted' || outcome === 'harness_error'
    ? 'other'
    : 'skipped';
}
