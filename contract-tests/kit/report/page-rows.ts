import type { RequirementRecord, RunRecord } from '../run/record.ts';
import { requestOf } from '../run/summarise.ts';
import { operationsOf } from '../selection.ts';
import { nameOfPart } from '../trial.ts';
import { type Given, html, type Markup } from './markup.ts';
import { section, table } from './page.ts';
import { type RowFacts, rowFacts } from './page-filter.ts';

/** Outcomes of checks that judged nothing. */
const UNSEEN = ['exempt', 'known', 'untestable', 'not_observable', 'not_selected'];

/** What the rows of each table are about, in their order. */
export function pageRowsOf({ causes, requirements: all, checks }: RunRecord) {
  const unseen = UNSEEN.flatMap((outcome) => checks.filter((check) => check.outcome === outcome));
  const requestsOf = (ids: readonly string[]) => [
    ...new Set(ids.flatMap((id) => operationsOf({ requirements: [id] })).map(requestOf)),
  ];
  return {
    unseen,
    causes: causes.map(({ outcome, operations }) => ({
      status: outcome,
      requests: operations.map(requestOf),
    })),
    requirements: all.map(({ id, outcome }) => ({ status: outcome, requests: requestsOf([id]) })),
    notRun: unseen.map(({ outcome, requirements: ids }) => ({
      status: outcome,
      requests: requestsOf(ids),
    })),
  };
}

export type PageRows = ReturnType<typeof pageRowsOf>;

/** Each finding with its request, and links to its requirement and operations. */
export function failures({ causes }: RunRecord, rows: PageRows): Markup {
  const lines = causes.map(
    (
      { outcome, operations, requirement, difference, checks, curl },
      index,
    ) => html`<tr id="finding-${index + 1}"${rowFacts(rows.causes[index] as RowFacts)}>
<td class="first"><span class="mark ${outcome}">${outcome.replaceAll('_', ' ')}</span><br><a href="#finding-${index + 1}">Finding ${index + 1}</a></td>
<td>${difference}${curl === undefined ? undefined : html`<pre id="curl-${index + 1}">${curl}</pre>`}</td>
<td>${linkTo(requirement)}<br>${folded(operations.map(requestLink), 'operations')}</td>
<td>${folded(checks, 'checks')}</td>
</tr>\n`,
  );
  return section(
    'Failures by cause',
    table(['Outcome', 'Difference', 'Where', 'Checks'], lines, 'None.'),
  );
}

/** A link to a row of the page; nothing where there is none to lead to. */
function linkTo(id: string, text: Given = id): Markup | undefined {
  return id === '' ? undefined : html`<a href="#${id}">${text}</a>`;
}

/** A request that leads to its row, and may be broken before each part of its path. */
function requestLink(operation: string): Markup | undefined {
  const parts = requestOf(operation).split('/');
  return linkTo(
    operation,
    parts.map((part, index) => (index === 0 ? part : html`<wbr>/${part}`)),
  );
}

/** A line each; more than one are folded. */
function folded(lines: readonly Given[], name: string): Given {
  if (lines.length <= 1) return lines[0];
  return html`<details><summary>${lines.length} ${name}</summary>${lines.map((line) => html`<br>${line}`)}</details>`;
}

/** What is not met first, and open; the rest is many and folded. */
export function requirements({ requirements: all, causes }: RunRecord, rows: PageRows): Markup {
  const line = (requirement: RequirementRecord) => {
    const { id, level, text, outcome, checks, reason } = requirement;
    const facts = rows.requirements[all.indexOf(requirement)] as RowFacts;
    return html`<tr id="${id}"${rowFacts(facts)}>
<td class="first"><span class="mark ${outcome}">${outcome.replaceAll('_', ' ')}</span><br><a href="#${id}">${id}</a></td>
<td>${text}${reason === undefined ? undefined : html`<br><span class="faint">${reason}</span>`}${findingsOf(id, causes)}</td>
<td>${level}</td><td>${checks.join(', ')}</td></tr>\n`;
  };
  const isOpen = ({ outcome, id }: RequirementRecord) =>
    outcome === 'broken' ||
    outcome === 'refuted' ||
    causes.some((cause) => cause.requirement === id);
  const [open, rest] = [all.filter(isOpen), all.filter((one) => !isOpen(one))];
  const heads = ['Outcome', 'Requirement', 'Level', 'Checks'];
  return section(
    'Requirements',
    html`${open.length === 0 ? undefined : table(heads, open.map(line), '')}
<details class="rows"><summary>${rest.length} ${open.length === 0 ? undefined : 'other '}requirements</summary>${table(heads, rest.map(line), 'None.')}</details>`,
  );
}

function findingsOf(id: string, causes: RunRecord['causes']): Markup {
  const links = causes.flatMap(({ requirements: ids, curl }, index) =>
    ids.includes(id)
      ? [
          html`<br><a href="#finding-${index + 1}">Finding ${index + 1}</a>${curl === undefined ? undefined : html`, <a href="#curl-${index + 1}">its request</a>`}`,
        ]
      : [],
  );
  return html`${links}`;
}

/** What was not judged, and why. */
export function notRun({ unseen, notRun: facts }: PageRows): Markup {
  const lines = unseen.map(
    (check, index) => html`<tr${rowFacts(facts[index] as RowFacts)}>
<td class="first"><span class="mark ${check.outcome}">${check.outcome.replaceAll('_', ' ')}</span></td>
<td>${nameOfPart(check)}</td><td>${check.reason}</td></tr>\n`,
  );
  return section('Not run, and why', table(['Outcome', 'Check', 'Why'], lines, 'Everything ran.'));
}
