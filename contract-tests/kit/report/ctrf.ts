import { type CheckRecord, nameOfCheck } from '../check-run.ts';
import { OUTCOMES } from '../outcome.ts';
import type { RunRecord } from '../run/record.ts';

/** The run in the Common Test Report Format (ctrf.io), one test for each check. */
export function ctrfReport({ checks, startedAt, finishedAt }: RunRecord): string {
  const tests = checks.map(testOf);
  const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
  const summary = {
    ...{ tests: tests.length, passed: count('passed'), failed: count('failed') },
    ...{ skipped: count('skipped'), pending: 0, other: 0 },
    ...{ start: Date.parse(startedAt), stop: Date.parse(finishedAt) },
  };
  const results = { tool: { name: 'billing-emulator contract' }, summary, tests };
  return `${JSON.stringify({ reportFormat: 'CTRF', specVersion: '0.0.0', results }, null, 2)}\n`;
}

function testOf(check: CheckRecord) {
  const { outcome, milliseconds, resource, reason, failure } = check;
  const { counts } = OUTCOMES[outcome];
  return {
    name: nameOfCheck(check),
    status: counts === 'error' ? 'failed' : counts,
    duration: milliseconds,
    suite: [resource],
    rawStatus: outcome,
    flaky: outcome === 'unstable',
    message: failure?.differences.join('\n') ?? reason,
    trace: failure?.curl,
  };
}
