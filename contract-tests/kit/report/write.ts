import { writeFileSync } from 'node:fs';
import { junitXml } from 'billing-emulator/spec';
import { type CheckRecord, nameOfCheck } from '../check-record.ts';
import { OUTCOMES } from '../outcome.ts';
import type { ReportFiles, ReportKind } from '../run/read-options.ts';
import type { RunRecord } from '../run/run.ts';
import { htmlPage } from './html.ts';

const FORMATS: Readonly<Record<ReportKind, (record: RunRecord) => string>> = {
  json: (record) => `${JSON.stringify(record, null, 2)}\n`,
  junit: junitReport,
  html: htmlPage,
  ctrf: ctrfReport,
  drift: driftText,
};

export function writeReports(record: RunRecord, files: ReportFiles): void {
  for (const [kind, file] of Object.entries(files))
    writeFileSync(file, FORMATS[kind as ReportKind](record));
}

/** The run in the Common Test Report Format (ctrf.io), one test for each check. */
export function ctrfReport({ checks, startedAt, finishedAt }: RunRecord): string {
  const tests = checks.map(testOf);
  const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: 0,
    start: Date.parse(startedAt),
    stop: Date.parse(finishedAt),
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
  const { milliseconds, outcome, reason, failure } = check;
  const kind = KINDS[OUTCOMES[outcome].counts];
  const lines = failure?.differences ?? [reason ?? outcome];
  const message = lines[0] as string;
  const detail = [...lines, failure?.curl ?? ''].join('\n').trim();
  const result =
    kind === 'skipped' ? { kind, message } : kind && { kind, type: outcome, message, detail };
  return { name: nameOfCheck(check), seconds: milliseconds / 1000, result };
}

/** The differences between a target and the assumptions, as text for a terminal. */
export function driftText({ assumptions, drift, target }: RunRecord): string {
  const lines = [`Drift of ${target.origin} (${target.environment})`, ''];
  for (const { id, verdict, title, details, probes } of assumptions)
    if (verdict !== 'unobserved')
      lines.push(
        `${verdict.padEnd(10)}${id.padEnd(7)}${title} (${[...new Set(probes)].join(', ')})`,
        ...details.map((detail) => `                 ${detail}`),
      );
  const unobserved = assumptions.filter(({ verdict }) => verdict === 'unobserved').length;
  lines.push(`${unobserved} assumptions were not observed.`, '');
  for (const { operation, status, finding, assumptions: ids, count } of drift.shapes)
    lines.push(`shape     ${operation} ${status}: ${finding} ${ids.join(' ')} (${count} times)`);
  for (const { operation, status, finding, count } of drift.undeclared)
    lines.push(`new field ${operation} ${status}: ${finding} (${count} times)`);
  for (const { check, name, value } of drift.observations)
    lines.push(`observed  ${check} ${name}: ${value}`);
  return `${lines.join('\n')}\n`;
}
