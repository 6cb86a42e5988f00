import { describe, expect, it } from 'vitest';
import { aRecord, aRun } from '../../testing/runs.ts';
import { gatherCases } from '../check.ts';
import { registry } from '../registry.ts';
import { html, htmlPage } from './html.ts';
import { createPaint, endOf, notLookedAt, notRunInWords } from './terminal.ts';
import { ctrfReport, driftText, junitReport } from './write.ts';

await gatherCases();

const HOSTILE = '<script>alert("1")</script>&\u0000|`*';
const run = aRun(HOSTILE);

describe('html', () => {
  it('escapes interpolated texts in attributes and in content', () => {
    expect(html`<a title="${HOSTILE}">${[HOSTILE, html`<b>${1}</b>`]}</a>`.text).toBe(
      '<a title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\u0000|`*">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\u0000|`*<b>1</b></a>',
    );
  });
});

describe('reports', () => {
  it('as HTML are one page without scripts that loads nothing, and say first what was not run', () => {
    const page = htmlPage(run);

    expect(page).not.toMatch(/<script| src=|href=/);
    expect(page).toContain("default-src 'none'");
    expect(page.indexOf('did not run')).toBeLessThan(page.indexOf('<h2>Findings</h2>'));
    expect(page).toContain('<pre>curl -d ');
    expect(page).toContain('<h2>Refuted assumptions</h2>');
    expect(page).toContain('Left: nothing permanent; not removed: ');
  });

  it('as JUnit are well-formed and have one test case for each check', () => {
    const xml = junitReport(run);
    const { size } = registry().checks;

    expect(xml.match(/<testcase /g)).toHaveLength(size);
    expect(xml).toContain(`tests="${size}" failures="1" errors="0" skipped="${size - 3}"`);
    expect(xml).not.toContain('<script');
    expect(xml).not.toContain('\u0000');
  });

  it('as CTRF have one test for each check, failed ones with what differs', () => {
    const { results } = JSON.parse(ctrfReport(run));
    const { size } = registry().checks;
    const failed = results.tests.filter(({ status }: { status: string }) => status === 'failed');

    expect(results.tests).toHaveLength(size);
    expect(results.summary).toMatchObject({ tests: size, passed: 2, failed: 1, skipped: size - 3 });
    expect(failed).toMatchObject([{ rawStatus: 'fail', message: HOSTILE, suite: ['wallets'] }]);
  });

  it('in a terminal name failures, refuted assumptions and checks that did not run', () => {
    const text = endOf(run, createPaint(false));

    expect(text).toContain('POST /customers/{customerId}/wallet/adjustments  R-WAL-28');
    expect(text).toContain('A-703');
    expect(text).toMatch(/\nNot run \d+: the run ended before it \(/);
    expect(text).toMatch(/\nExit 1 {2}\d+ checks did not run, among them all about accounts, /);
    expect(text).toContain('&\\u0000|');
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('of drift list refuted assumptions and what was observed', () => {
    expect(driftText(run)).toContain('refuted   A-703  Balances may become negative');
    expect(driftText(run)).toContain('observed  WAL-15 overdraft: deny');
  });
});

const notRun = (id: string, reason: string, outcome: 'not_selected' | 'not_observable') =>
  aRecord({ id, outcome, reason });

describe('notLookedAt', () => {
  const about = (resource: string, requirement: string, outcome: 'pass' | 'not_selected') =>
    aRecord({ id: `${resource}${requirement}`, resource, requirements: [requirement], outcome });

  it('names what no check that ran looks at', () => {
    const checks = [
      about('events', 'R-EVT-01', 'pass'),
      about('events', 'R-EVT-45', 'not_selected'),
      about('wallets', 'R-WAL-34', 'not_selected'),
    ];

    expect(notLookedAt(checks)).toBe(
      '2 checks did not run, among them all about amounts and wallets',
    );
  });

  it('counts alone when each subject was looked at, and is empty when all ran', () => {
    const ran = about('tasks', 'R-TSK-01', 'pass');

    expect(notLookedAt([ran, about('tasks', 'R-TSK-01', 'not_selected')])).toBe(
      '1 check did not run',
    );
    expect(notLookedAt([ran])).toBe('');
  });
});

describe('notRunInWords', () => {
  it('counts the checks of each reason, the most frequent first, and names the first three', () => {
    const lines = notRunInWords([
      aRecord(),
      aRecord({ outcome: 'untestable', reason: 'too few' }),
      notRun('POR-06', 'needs a receiver', 'not_observable'),
      ...['VND-01', 'VND-02', 'VND-03', 'VND-04'].map((id) =>
        notRun(id, `uses up too many: ${id}`, 'not_selected'),
      ),
    ]);

    expect(lines).toEqual([
      '4: uses up too many (VND-01, VND-02, VND-03, …)',
      '1: needs a receiver (POR-06)',
    ]);
  });
});
