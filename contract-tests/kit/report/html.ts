import { requestOf } from '../operations.ts';
import type { RunRecord } from '../run/run.ts';
import { countsInWords, leftInWords, notLookedAt, notRunInWords } from './terminal.ts';

/** The run as one HTML page: what was checked, what was not and why, then the findings. */
export const htmlPage = (record: RunRecord): string =>
  wholePage(`Contract run ${record.runId}`, [head(record), findings(record), assumptions(record)]);

function head({ claim, exit, totals, checks, target, plan, effects, ...run }: RunRecord): Markup {
  const reasons = exit.reasons.map(
    ({ code, text }) => html`<p class="bad">Exit ${code}: ${text}</p>`,
  );
  const unseen = notLookedAt(checks);
  const notRun = notRunInWords(checks).map((line) => html`<li>${line}</li>`);
  const isOurs = target.kind === 'ours';
  const where = isOurs ? 'a fresh emulator' : `${target.origin} (${target.environment})`;
  return html`<header>
<h1>Contract run</h1>
<p class="claim ${exit.code === 0 ? 'good' : 'bad'}">${claim}</p>
<p>${countsInWords(totals)}.</p>
${unseen === '' ? undefined : html`<p>${unseen}:</p><ul>${notRun}</ul>`}
${reasons}
<p class="faint">Run ${run.runId} of ${where}, up to ${plan.ceiling}, from ${run.startedAt} to ${run.finishedAt}.</p>
${isOurs ? undefined : html`<p>Left: ${leftInWords(effects)}</p>`}
</header>`;
}

function findings({ causes }: RunRecord): Markup {
  const rows = causes.map(({ outcome, difference, curl, operations, requirement, checks }) => {
    const command = curl === undefined ? undefined : html`<pre>${curl}</pre>`;
    const requests = operations.map((operation) => html`${requestOf(operation)}<br>`);
    return html`<tr><th scope="row" class="bad">${outcome}</th><td>${difference}${command}</td>
<td>${requests}${requirement}</td><td>${checks.map((check) => html`${check}<br>`)}</td></tr>\n`;
  });
  return section('Findings', ['Outcome', 'Difference', 'Where', 'Checks'], rows);
}

function assumptions({ assumptions: all }: RunRecord): Markup {
  const rows = all
    .filter(({ verdict }) => verdict === 'refuted')
    .map(
      ({ id, title, details, probes }) => html`<tr><th scope="row">${id}</th>
<td>${title}${details.map((detail) => html`<br>${detail}`)}</td><td>${probes.join(', ')}</td></tr>\n`,
    );
  return section('Refuted assumptions', ['Assumption', 'Otherwise', 'Seen by'], rows);
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
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
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

/** A section with a table, or with a word when it has no rows. */
function section(title: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  const names = heads.map((name) => html`<th scope="col">${name}</th>`);
  const table = html`<div class="wide" tabindex="0"><table><thead><tr>${names}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
  const content = rows.length === 0 ? html`<p class="faint">None.</p>` : table;
  return html`<section><h2>${title}</h2>${content}</section>\n`;
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
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; margin: .25rem 0; padding: .5rem .75rem;
  background: var(--sheet); border-radius: .35rem; }
`;
