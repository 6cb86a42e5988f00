import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anExchange, aRecord } from '../../testing/records.ts';
import { gatherCases } from '../gather.ts';
import { registry } from '../registry.ts';
import { causesOf } from '../run/causes.ts';
import { complete } from '../run/complete.ts';
import { matrixOf } from '../run/matrix.ts';
import type { RunRecord } from '../run/record.ts';
import {
  assumptionSummaries,
  driftOf,
  requirementRecords,
  totalsByLevel,
  totalsOf,
} from '../run/summarise.ts';
import { driftText, settingsObserved } from './drift.ts';
import { htmlPage } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownSummary } from './markdown.ts';
import { html } from './markup.ts';
import { createPaint, endOf } from './terminal.ts';

await gatherCases();

const HOSTILE = '<script>alert("1")</script>&\u0000|`*';

function aRun(): RunRecord {
  const failure = {
    operation: 'adjustWallet',
    status: 500,
    differences: [HOSTILE],
    curl: `curl -d '${HOSTILE}'`,
  };
  const checks = complete([
    aRecord({ title: HOSTILE, exchanges: [anExchange()], outcome: 'fail', failure }),
    aRecord({
      id: 'WAL-15',
      level: 'ASSUMED',
      outcome: 'refuted',
      assumptions: [{ id: 'A-703', verdict: 'refuted', detail: HOSTILE }],
      observations: [{ name: 'overdraft', value: 'deny', setting: 'overdraft' }],
    }),
  ]);
  return {
    schema: 'billing-emulator/contract-run',
    schemaVersion: 1,
    ...{ kitVersion: '0.1.0', specVersion: '1.0', runId: 'r1', seed: 0, profile: 'full' },
    ...{ startedAt: '2026-01-15T12:00:00.000Z', finishedAt: '2026-01-15T12:00:01.000Z' },
    target: {
      kind: 'external',
      origin: 'https://api.example',
      environment: 'test',
      preflight: 'answered',
      clockSkewMs: 0,
    },
    plan: { ceiling: 'E2', selection: 'all', requestsPerSecond: 5, workers: 1, repeats: 1 },
    exit: { code: 1, reasons: [{ code: 1, text: '1 check failed.' }] },
    claim: 'partial',
    totals: totalsOf(checks),
    levels: totalsByLevel(checks),
    checks,
    requirements: requirementRecords(checks),
    assumptions: assumptionSummaries(checks),
    causes: causesOf(checks),
    matrix: matrixOf(checks),
    drift: driftOf(checks),
    waits: ['12 requests waited for the rate limit, 24.0 s in all'],
    effects: {
      requests: 1,
      writes: { adjustWallet: 1 },
      removed: 0,
      permanent: { adjustWallet: 1 },
      leftovers: [HOSTILE],
    },
  };
}

describe('html', () => {
  it('escapes interpolated texts in attributes and in content', () => {
    expect(String(html`<a title="${HOSTILE}">${[HOSTILE, html`<b>${1}</b>`]}</a>`)).toBe(
      '<a title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\u0000|`*">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\u0000|`*<b>1</b></a>',
    );
  });
});

describe('reports', () => {
  it('as HTML are one page that loads nothing and allows its one script by hash', () => {
    const page = htmlPage(aRun());
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');

    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain(`script-src &#39;sha256-${digest}&#39;`);
    expect(page).not.toMatch(/ src=|href="[^#]/);
    expect(page).toContain("default-src 'none'");
    for (const title of [
      'Failures by cause',
      'Operations and statuses',
      'Requirements',
      'Assumptions',
      'Drift',
      'Not run, and why',
      'Effects and leftovers',
      'Surroundings',
    ])
      expect(page).toContain(`<h2>${title}</h2>`);
  });

  it('as HTML link a finding with its requirement, its request and its operation', () => {
    const page = htmlPage(aRun());
    const row = (id: string) => new RegExp(`<tr id="${id}"[\\s\\S]*?</tr>`).exec(page)?.[0] ?? '';

    expect(row('finding-1')).toContain('<a href="#adjustWallet">');
    expect(row('finding-1')).toContain('<a href="#R-WAL-28">R-WAL-28</a>');
    expect(row('finding-1')).toContain('<pre id="curl-1">curl -d ');
    expect(row('R-WAL-28')).toContain('<a href="#finding-1">Finding 1</a>');
    expect(row('R-WAL-28')).toContain('<a href="#curl-1">its request</a>');
    expect(row('adjustWallet')).toContain('POST /customers/{customerId}/wallet/adjustments');
  });

  it('as JUnit are well-formed and have one test case for each check', () => {
    const xml = junitReport(aRun());

    expect(xml.match(/<testcase /g)).toHaveLength(registry().checks.size);
    const { size } = registry().checks;
    expect(xml).toContain(`tests="${size}" failures="1" errors="0" skipped="${size - 3}"`);
    expect(xml).not.toContain('<script');
    expect(xml).not.toContain('\u0000');
    expect(xml).toContain('<property name="requirement" value="R-WAL-28"/>');
  });

  it('as Markdown escape the texts they contain', () => {
    expect(markdownSummary(aRun())).toContain(
      '\\<script\\>alert("1")\\</script\\>&\u0000\\|\\`\\*',
    );
  });

  it('as Markdown say why checks did not run', () => {
    expect(markdownSummary(aRun())).toMatch(
      /\n\| Not run \| \d+: its case file has not reported it \(/,
    );
  });

  it('in a terminal name failures, refuted assumptions, checks that did not run, waits and cells', () => {
    const text = endOf(aRun(), createPaint(false));

    expect(text).toContain('POST /customers/{customerId}/wallet/adjustments  R-WAL-28');
    expect(text).toContain('A-703');
    expect(text).toContain('Waits   12 requests waited for the rate limit, 24.0 s in all');
    expect(text).toMatch(/\nNot run \d+: its case file has not reported it \(/);
    expect(text).toContain('Cells   1 of 190 asserted, 1 exempt');
    expect(text).toContain('&\\u0000|');
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('of drift write observed settings as YAML and list refuted assumptions', () => {
    expect(settingsObserved(aRun())).toBe(
      '# As observed at https://api.example (test), run r1.\noverdraft: deny\n',
    );
    expect(driftText(aRun())).toContain('refuted   A-703  Balances may become negative');
  });
});
