import { requestOf } from '../operations.ts';
import type { RequirementRecord, RunRecord } from '../run/record.ts';
import { notLookedAt, notRunInWords } from './not-run.ts';
import { html, htmlTable, type Markup, section, wholePage } from './page.ts';
import { countsInWords } from './terminal.ts';

/** The run as one HTML page: what was checked, what was not and why, then the findings. */
export const htmlPage = (record: RunRecord): string =>
  wholePage(`Contract run ${record.runId}`, [
    head(record),
    findings(record),
    requirements(record),
    assumptions(record),
    ...(record.target.kind === 'ours' ? [] : [effects(record)]),
    context(record),
  ]);

function head({ claim, exit, totals, checks }: RunRecord): Markup {
  const reasons = exit.reasons.map(
    ({ code, text }) => html`<p class="bad">Exit ${code}: ${text}</p>`,
  );
  const unseen = notLookedAt(checks);
  const notRun = notRunInWords(checks).map((line) => html`<li>${line}</li>`);
  return html`<header>
<h1>Contract run</h1>
<p class="claim ${exit.code === 0 ? 'good' : 'bad'}">${claim}</p>
<p>${countsInWords(totals)}.</p>
${unseen === '' ? undefined : html`<p>${unseen}:</p><ul>${notRun}</ul>`}
${reasons}
</header>`;
}

function findings({ causes }: RunRecord): Markup {
  const rows = causes.map(({ outcome, difference, curl, operations, requirement, checks }) => {
    const command = curl === undefined ? undefined : html`<pre>${curl}</pre>`;
    const requests = operations.map((operation) => html`${requestOf(operation)}<br>`);
    return html`<tr><th scope="row" class="bad">${outcome}</th><td>${difference}${command}</td>
<td>${requests}${requirement}</td><td>${checks.map((check) => html`${check}<br>`)}</td></tr>\n`;
  });
  return section(
    'Findings',
    htmlTable(['Outcome', 'Difference', 'Where', 'Checks'], rows, 'None.'),
  );
}

/** The requirements by outcome, those that are not met first. */
function requirements({ requirements: all }: RunRecord): Markup {
  const row = ({ outcome, id, level, text, reason, checks }: RequirementRecord) => html`<tr>
<th scope="row">${id} ${level}</th><td class="${outcome === 'met' ? 'good' : 'bad'}">${outcome.replaceAll('_', ' ')}</td>
<td>${text}${reason === undefined ? undefined : ` (${reason})`}</td><td>${checks.join(', ')}</td></tr>\n`;
  const groups = (['broken', 'refuted', 'partial', 'not_run', 'not_tested', 'met'] as const).map(
    (outcome) => {
      const rows = all.filter((one) => one.outcome === outcome).map(row);
      const name = html`<summary>${rows.length} ${outcome.replaceAll('_', ' ')}</summary>`;
      const heads = ['Requirement', 'Outcome', 'Text', 'Checks'];
      return html`<details>${name}${htmlTable(heads, rows, 'None.')}</details>\n`;
    },
  );
  return section('Requirements', groups);
}

function assumptions({ assumptions: all }: RunRecord): Markup {
  const rows = all
    .filter(({ verdict }) => verdict === 'refuted')
    .map(
      ({ id, title, details, probes }) => html`<tr><th scope="row">${id}</th>
<td>${title}${details.map((detail) => html`<br>${detail}`)}</td><td>${probes.join(', ')}</td></tr>\n`,
    );
  const heads = ['Assumption', 'Otherwise', 'Seen by'];
  return section('Assumed otherwise than observed', htmlTable(heads, rows, 'None.'));
}

function effects({
  effects: { requests, writes, permanent, removed, leftovers },
}: RunRecord): Markup {
  const rows = Object.entries(writes).map(
    ([operation, count]) => html`<tr><th scope="row">${requestOf(operation)}</th><td>${count}</td>
<td>${permanent[operation] ?? 0}</td></tr>\n`,
  );
  const left = leftovers.map((leftover) => html`<p class="bad">Not removed: ${leftover}</p>`);
  const table = htmlTable(['Request', 'Carried out', 'Stays'], rows, 'Nothing was written.');
  return section(
    'Effects',
    html`<p>${requests} requests; ${removed} objects removed.</p>${left}${table}`,
  );
}

function context(record: RunRecord): Markup {
  const { target, plan, runId, startedAt, finishedAt, kitVersion, specVersion } = record;
  const lines = {
    Target: `${target.origin} (${target.kind === 'ours' ? 'a fresh emulator' : target.environment})`,
    Clock: `${target.clockSkewMs} ms apart`,
    'Effects up to': plan.ceiling,
    Only: plan.only.join(', ') || 'everything',
    Without: plan.skip.join(', ') || 'nothing',
    Run: runId,
    'From, to': `${startedAt}, ${finishedAt}`,
    Waits: record.waits.join('; ') || 'none',
    'Kit, specification': `${kitVersion}, ${specVersion}`,
  };
  const rows = Object.entries(lines).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
  );
  return section('The run', html`<dl>${rows}</dl>`);
}
