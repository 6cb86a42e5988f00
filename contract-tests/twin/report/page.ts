import { requestOf } from '../../kit/operations.ts';
import { registry } from '../../kit/registry.ts';
import { html, htmlTable, type Markup, section, wholePage } from '../../kit/report/page.ts';
import type { ShownDifference } from '../difference.ts';
import type { TwinCause } from './causes.ts';
import type { Share } from './coverage.ts';
import type { TwinSummary } from './report.ts';
import { verdictOf } from './verdict.ts';

/** The result of a comparison as one HTML page without external files. */
export function twinPage(summary: TwinSummary, upstream: string): string {
  return wholePage('Twin', [
    head(summary, upstream),
    causes(summary.causes),
    coverage(summary),
    leftOut(summary),
  ]);
}

function head(summary: TwinSummary, upstream: string): Markup {
  const { code, sentence } = verdictOf(summary);
  return html`<header>
<h1>Twin of ${upstream}</h1>
<p class="claim ${code === 0 ? 'good' : 'bad'}">${sentence}</p>
<p>${summary.requests} requests, ${summary.compared} compared, ${summary.differences} differences.</p>
</header>\n`;
}

function causes(all: readonly TwinCause[]): Markup {
  const rows = all.map(
    ({ first, count, followers, also }) => html`<tr>
<td><span class="mark fail">${KINDS[first.kind]}</span></td>
<td>${first.request}<br><code>${first.at}</code>${withIt(also)}</td>
<td>${first.upstream}</td><td>${first.emulator}</td>
<td>${count}${followers === 0 ? undefined : html`<br><span class="faint">${followers} more follow from it</span>`}</td>
<td>${touched(first)}</td></tr>\n`,
  );
  const heads = ['Difference', 'Where', 'Service', 'Emulator', 'Times', 'Touches'];
  return section('Differences by cause', htmlTable(heads, rows, 'None.'));
}

function withIt(also: TwinCause['also']): Markup | undefined {
  if (also.length === 0) return undefined;
  const lines = also.map(({ name }) => html`<br><code>${name}</code>`);
  return html`<details><summary>${also.length} more never came without it</summary>${lines}</details>`;
}

/** The label of each kind of difference. */
const KINDS: Readonly<Record<ShownDifference['kind'], string>> = {
  status: 'other status',
  header: 'other header',
  missing: 'missing in the emulator',
  extra: 'missing in the service',
  type: 'other type',
  value: 'other value',
  time: 'other time',
  order: 'other order',
  reference: 'names something else',
};

function touched({ assumptions, requirements }: ShownDifference): Markup {
  const lines = [
    ...requirements.map((id) => ({ id, text: registry().requirements.get(id)?.text })),
    ...assumptions.map((id) => ({ id, text: registry().assumptions.get(id)?.title })),
  ];
  if (lines.length === 0) return html`<span class="faint">nothing known</span>`;
  const entries = lines.map(({ id, text }) => html`<br>${id} <span class="faint">${text}</span>`);
  return html`<details><summary>${lines
    .map(({ id }) => id)
    .slice(0, 3)
    .join(', ')}</summary>${entries}</details>`;
}

function coverage({ coverage: { operations, statuses, fields, cells } }: TwinSummary): Markup {
  const rows = Object.entries(cells)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([cell, count]) => {
      const [operation = '', status] = cell.split(' ');
      return html`<tr><td>${requestOf(operation)}</td><td>${status}</td><td>${count}</td></tr>\n`;
    });
  return section(
    'What the traffic touched',
    html`<p>${shareText(operations)} operations, ${shareText(statuses)} statuses, ${shareText(fields)} fields of answers.</p>
${htmlTable(['Request', 'Status', 'Answers'], rows, 'Nothing.')}`,
  );
}

const shareText = ({ touched: count, total }: Share): string => `${count} of ${total}`;

function leftOut({ leftOut: reasons, lost, contended }: TwinSummary): Markup {
  const lines: readonly (readonly [string, number])[] = [
    ...Object.entries(reasons),
    ...(lost > 0 ? [['it had no answer', lost] as const] : []),
    ...(contended > 0
      ? [['a difference of writes that ran side by side', contended] as const]
      : []),
  ];
  const rows = lines.map(([reason, count]) => html`<tr><td>${count}</td><td>${reason}</td></tr>\n`);
  return section(
    'Not compared, and why',
    htmlTable(['Times', 'Why'], rows, 'Everything was compared.'),
  );
}
