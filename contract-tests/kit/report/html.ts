import { requestOf } from '../operations.ts';
import type { RunRecord } from '../run/run.ts';
import type { RequirementRecord } from '../run/summarise.ts';
import { countsInWords, notLookedAt, notRunInWords } from './terminal.ts';

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
  return section('Refuted assumptions', htmlTable(heads, rows, 'None.'));
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
    'Kit, specification': `${kitVersion}, ${specVersion}`,
  };
  const rows = Object.entries(lines).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
  );
  return section('The run', html`<dl>${rows}</dl>`);
}

/** HTML that is safe to insert in a page. Only `html` creates it, and it escapes every text. */
class Markup {
  constructor(readonly text: string) {}
}

type Given = Markup | string | number | undefined | readonly Given[];

/** A template for markup: html`<p>${text}</p>`. Texts are escaped, other markup is not. */
export const html = (fixed: TemplateStringsArray, ...given: readonly Given[]): Markup =>
  new Markup(String.raw({ raw: fixed }, ...given.map(render)));

function render(given: Given): string {
  if (given === undefined) return '';
  if (given instanceof Markup) return given.text;
  if (Array.isArray(given)) return given.map(render).join('');
  return String(given).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

/** A complete HTML page without scripts, external files or network access. */
const wholePage = (title: string, content: Given): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
<main>
${content}
</main>
</html>
`.text;

const section = (title: string, content: Given): Markup =>
  html`<section><h2>${title}</h2>${content}</section>\n`;

/** A table, or the text `empty` when it has no rows. */
function htmlTable(heads: readonly string[], rows: readonly Markup[], empty: string): Markup {
  if (rows.length === 0) return html`<p class="faint">${empty}</p>`;
  return html`<div class="wide" tabindex="0"><table><thead><tr>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** For light and dark mode, down to the width of a phone. */
const STYLE = html`
:root { color-scheme: light dark; --paper: #fff; --sheet: #f6f7f9; --ink: #1f2937; --good: #166534; --good-bg: #dcfce7;
  --bad: #b91c1c; --bad-bg: #fee2e2; --faint: #595f69; --line: #d7dbe0; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161c; --sheet: #1b2129; --ink: #e5e7eb; --good: #86efac;
  --good-bg: #14301f; --bad: #fca5a5; --bad-bg: #3b1a1a; --faint: #a3abb6; --line: #39414d; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink); }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; margin: 1rem 0 .5rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
.claim { font-size: 1.15rem; font-weight: 600; padding: .75rem 1rem; border-radius: .5rem; margin: .5rem 0; }
.claim.good { background: var(--good-bg); } .claim.bad { background: var(--bad-bg); }
.good { color: var(--good); } .bad { color: var(--bad); } .faint { color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; min-width: 5rem; }
thead th { color: var(--faint); font-size: .85rem; font-weight: 600; } tbody th { font-weight: 400; }
summary { cursor: pointer; padding: .25rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; margin: .25rem 0; padding: .5rem .75rem;
  background: var(--sheet); border-radius: .35rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; } dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
`;
