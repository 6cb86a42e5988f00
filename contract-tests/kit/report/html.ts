import { requestOf } from '../operations.ts';
import type { Cell, RunRecord } from '../run/record.ts';
import { html, type Markup } from './markup.ts';
import { notLookedAt } from './not-run.ts';
import { htmlTable, section, wholePage } from './page.ts';
import { FILTER_SCRIPT, filterForm } from './page-filter.ts';
import { factsOfRows, failures, notRun, requirements } from './page-rows.ts';
import { countsInWords } from './terminal.ts';

/**
 * The run as one HTML page without external files or network access. It is readable without JavaScript; with it, the
 * rows can be filtered.
 */
export function htmlPage(record: RunRecord): string {
  const parts = [
    head(record),
    filterForm(factsOfRows(record)),
    failures(record),
    matrix(record),
    requirements(record),
    assumptions(record),
    drift(record),
    notRun(record),
    effects(record),
    pageContext(record),
  ];
  return wholePage(
    `Contract run ${record.runId}`,
    parts.map((part) => html`${part}\n`),
    FILTER_SCRIPT,
  );
}

function head({ claim, exit, totals, checks, matrix }: RunRecord): Markup {
  const { asserted, total, operations } = matrix;
  const isGood = exit.code === 0;
  return html`<header>
<h1>Contract run</h1>
<p class="claim ${isGood ? 'good' : 'bad'}">${claim}</p>
<p>${countsInWords(totals)}. ${asserted} of ${total} cells, ${operations.asserted} of ${operations.total} operations.</p>
<p>${notLookedAt(checks)}</p>
${exit.reasons.map(({ code, text }) => html`<p class="bad">Exit ${code}: ${text}</p>`)}
</header>`;
}

function matrix({ matrix: { cells } }: RunRecord): Markup {
  const statuses = [...new Set(cells.map(({ status }) => status))].sort(
    (one, other) => one - other,
  );
  const operations = [...new Set(cells.map(({ operation }) => operation))];
  const rows = operations.map((operation) => {
    const ofOne = cells.filter((cell) => cell.operation === operation);
    return html`<tr id="${operation}"><th scope="row">${ofOne[0]?.request}</th>${statuses.map(
      (status) => matrixCell(ofOne.find((cell) => cell.status === status)),
    )}</tr>\n`;
  });
  const heads = ['Operation', ...statuses.map(String)];
  return section(
    'Operations and statuses',
    html`<p class="faint">✓ asserted, ○ seen only, · not seen, – beyond reach</p>
${htmlTable(heads, rows, '', 'matrix')}`,
  );
}

const MARKS = { asserted: '✓', touched: '○', untouched: '·', exempt: '–' } as const;

function matrixCell(cell: Cell | undefined): Markup {
  if (!cell) return html`<td></td>`;
  const { state, reason, status } = cell;
  return html`<td class="cell ${state}" data-of="${status}" title="${reason ?? state}">${MARKS[state]}<span class="spoken"> ${state}</span></td>`;
}

function assumptions({ assumptions: all }: RunRecord): Markup {
  const rows = all.map(
    ({ id, title, verdict, weight, details, probes }) => html`<tr>
<td class="first"><span class="mark ${verdict}">${verdict}</span><br>${id}</td><td>${title}${details.map((detail) => html`<br><span class="faint">${detail}</span>`)}</td>
<td>${weight}</td><td>${[...new Set(probes)].join(', ')}</td></tr>\n`,
  );
  return section(
    'Assumptions',
    htmlTable(['Verdict', 'Decision', 'Weight', 'Probes'], rows, 'None.'),
  );
}

function drift({ drift: { shapes, undeclared, observations } }: RunRecord): Markup {
  const lines = [
    ...shapes.map((line) => ({ ...line, kind: 'shape' })),
    ...undeclared.map((line) => ({ ...line, kind: 'undeclared field' })),
  ].map(
    ({ kind, operation, status, finding, assumptions: ids, count }) => html`<tr>
<td>${kind}</td><td>${requestOf(operation)} ${status}</td><td>${finding}</td><td>${ids.join(', ')}</td><td>${count}</td></tr>\n`,
  );
  const seen = observations.map(
    ({ check, name, value, setting }) => html`<tr>
<td>observed</td><td>${check}</td><td>${name}: ${value}</td><td>${setting}</td><td></td></tr>\n`,
  );
  const heads = ['Kind', 'Where', 'Finding', 'Assumption or setting', 'Times'];
  return section('Drift', htmlTable(heads, [...lines, ...seen], 'None.'));
}

function effects({
  effects: { requests, writes, permanent, removed, leftovers },
  target,
}: RunRecord): Markup {
  const rows = Object.entries(writes).map(
    ([operation, count]) => html`<tr>
<td>${requestOf(operation)}</td><td>${count}</td><td>${permanent[operation] ?? 0}</td></tr>\n`,
  );
  const stays =
    target.kind === 'ours'
      ? 'Everything was discarded with the emulator.'
      : `${removed} were removed.`;
  return section(
    'Effects and leftovers',
    html`<p>${requests} requests. ${stays}</p>
${leftovers.map((leftover) => html`<p class="bad">Not removed: ${leftover}</p>`)}
${htmlTable(['Request', 'Carried out', 'Stays'], rows, 'Nothing was written.')}`,
  );
}

function pageContext(record: RunRecord): Markup {
  const { target, plan, runId, seed, profile, startedAt, finishedAt, kitVersion, specVersion } =
    record;
  const lines: readonly (readonly [string, string | number])[] = [
    [
      'Target',
      `${target.origin} (${target.kind === 'ours' ? 'a fresh emulator' : target.environment})`,
    ],
    ['First response', target.preflight],
    ['Clock', `${target.clockSkewMs} ms apart`],
    ['Ceiling', plan.ceiling],
    ['Selection', plan.selection],
    ['Profile', profile],
    ['Run, seed', `${runId}, ${seed}`],
    ['From, to', `${startedAt}, ${finishedAt}`],
    ['Waits', record.waits.join('; ') || 'none'],
    ['Kit, specification', `${kitVersion}, ${specVersion}`],
  ];
  return section(
    'Surroundings',
    html`<dl>${lines.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`,
  );
}
