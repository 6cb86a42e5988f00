import { nameOfFailure } from '../run/baseline.ts';
import type { RunRecord } from '../run/record.ts';
import type { CheckRecord } from '../trial.ts';

const SKIPPED = new Set(['exempt', 'not_selected', 'known', 'not_observable']);
const FAILED = new Set(['fail', 'untestable', 'stale', 'flaky']);

/** The run as JUnit XML: a case for each check, grouped by resource. */
export function junitXml({ checks, runId, startedAt }: RunRecord): string {
  const resources = [...new Set(checks.map(({ resource }) => resource))];
  const suites = resources.map((resource) =>
    suiteOf(
      resource,
      checks.filter((check) => check.resource === resource),
      startedAt,
    ),
  );
  const counts = countsOf(checks);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="contract ${runId}" ${counts}>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(resource: string, checks: readonly CheckRecord[], startedAt: string): string {
  const cases = checks.map(caseOf).join('');
  return `<testsuite name="${escaped(resource)}" ${countsOf(checks)} timestamp="${startedAt}">\n${cases}</testsuite>\n`;
}

function countsOf(checks: readonly CheckRecord[]): string {
  const count = (isIt: (outcome: string) => boolean) =>
    checks.filter(({ outcome }) => isIt(outcome)).length;
  const seconds = checks.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  return [
    `tests="${checks.length}"`,
    `failures="${count((outcome) => FAILED.has(outcome))}"`,
    `errors="${count((outcome) => outcome === 'harness_error')}"`,
    `skipped="${count((outcome) => SKIPPED.has(outcome))}"`,
    `time="${seconds.toFixed(3)}"`,
  ].join(' ');
}

function caseOf(check: CheckRecord): string {
  const { resource, milliseconds, level, effect, outcome, requirements, assumptions } = check;
  const properties = [
    ['level', level],
    ['effect', effect],
    ['outcome', outcome],
    ...requirements.map((id) => ['requirement', id] as const),
    ...assumptions.map(({ id, verdict }) => ['assumption', `${id} ${verdict}`] as const),
  ]
    .map(([name = '', value = '']) => `<property name="${name}" value="${escaped(value)}"/>`)
    .join('');
  return (
    `<testcase classname="${escaped(resource)}" name="${escaped(nameOfFailure(check))}" ` +
    `time="${(milliseconds / 1000).toFixed(3)}"><properties>${properties}</properties>${resultOf(check)}</testcase>\n`
  );
}

function resultOf({ outcome, reason, failure }: CheckRecord): string {
  const message = escaped(failure?.message.split('\n')[0] ?? reason ?? outcome);
  if (SKIPPED.has(outcome)) return `<skipped message="${message}"/>`;
  const detail = escaped([failure?.message ?? reason ?? '', failure?.curl ?? ''].join('\n').trim());
  if (FAILED.has(outcome))
    return `<failure type="${outcome}" message="${message}">${detail}</failure>`;
  if (outcome === 'harness_error') return `<error message="${message}">${detail}</error>`;
  return '';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for XML, and leaves out what XML cannot hold. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
