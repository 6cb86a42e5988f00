import { requestOf } from '../operations.ts';
import type { Cause, RequirementRecord, RunRecord } from '../run/record.ts';
import { operationsOf } from '../selection.ts';
import { type CheckRecord, nameOfCheck } from '../trial.ts';
import { type Given, html, type Markup } from './markup.ts';
import { htmlTable, section } from './page.ts';
import { type RowFacts, rowFacts } from './page-filter.ts';

/** Outcomes without a verdict. */
const UNSEEN = ['exempt', 'known', 'untestable', 'not_observable', 'not_selected'];

const notJudged = ({ checks }: RunRecord) =>
  UNSEEN.flatMap((outcome) => checks.filter((check) => check.outcome === outcome));

const factsOf = (status: string, operations: readonly string[]): RowFacts => ({
  status,
  requests: operations.map(requestOf),
});
const factsOfCause = ({ outcome, operations }: Cause) => factsOf(outcome, operations);
const factsOfRequirement = ({ outcome, id }: RequirementRecord) =>
  factsOf(outcome, operationsOf({ requirements: [id] }));
const factsOfCheck = (check: CheckRecord) => factsOf(check.outcome, operationsOf(check));

/** The filter values of the rows of all tables. */
export const factsOfRows = (record: RunRecord): readonly RowFacts[] => [
  ...record.causes.map(factsOfCause),
  ...record.requirements.map(factsOfRequirement),
  ...notJudged(record).map(factsOfCheck),
];

/** The table of findings, with the curl command, and links to requirement and operations. */
export function failures({ causes }: RunRecord): Markup {
  const lines = causes.map((cause, index) => {
    const { outcome, operations, requirement, difference, checks, curl } = cause;
    return html`<tr id="finding-${index + 1}"${rowFacts(factsOfCause(cause))}>
<td class="first"><span class="mark ${outcome}">${outcome.replaceAll('_', ' ')}</span><br><a href="#finding-${index + 1}">Finding ${index + 1}</a></td>
<td>${difference}${curl === undefined ? undefined : html`<pre id="curl-${index + 1}">${curl}</pre>`}</td>
<td>${linkTo(requirement)}<br>${folded(operations.map(requestLink), 'operations')}</td>
<td>${folded(checks, 'checks')}</td>
</tr>\n`;
  });
  return section(
    'Failures by cause',
    htmlTable(['Outcome', 'Difference', 'Where', 'Checks'], lines, 'None.'),
  );
}

/** A link to a row of the page; undefined for an empty id. */
const linkTo = (id: string, text: Given = id): Markup | undefined =>
  id === '' ? undefined : html`<a href="#${id}">${text}</a>`;

/** A link to the row of an operation. The text can wrap before each path segment. */
function requestLink(operation: string): Markup | undefined {
  const parts = requestOf(operation).split('/');
  return linkTo(
    operation,
    parts.map((part, index) => (index === 0 ? part : html`<wbr>/${part}`)),
  );
}

/** One line each; several lines are collapsed. */
function folded(lines: readonly Given[], name: string): Given {
  if (lines.length <= 1) return lines[0];
  return html`<details><summary>${lines.length} ${name}</summary>${lines.map((line) => html`<br>${line}`)}</details>`;
}

/** The table of requirements: broken and refuted ones first and expanded, the others collapsed. */
export function requirements({ requirements: all, causes }: RunRecord): Markup {
  const line = (requirement: RequirementRecord) => {
    const { id, level, text, outcome, checks, reason } = requirement;
    return html`<tr id="${id}"${rowFacts(factsOfRequirement(requirement))}>
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
    html`${open.length === 0 ? undefined : htmlTable(heads, open.map(line), '')}
<details class="rows"><summary>${rest.length} ${open.length === 0 ? undefined : 'other '}requirements</summary>${htmlTable(heads, rest.map(line), 'None.')}</details>`,
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

/** The checks without a verdict, with the reasons. */
export function notRun(record: RunRecord): Markup {
  const lines = notJudged(record).map(
    (check) => html`<tr${rowFacts(factsOfCheck(check))}>
<td class="first"><span class="mark ${check.outcome}">${check.outcome.replaceAll('_', ' ')}</span></td>
<td>${nameOfCheck(check)}</td><td>${check.reason}</td></tr>\n`,
  );
  return section(
    'Not run, and why',
    htmlTable(['Outcome', 'Check', 'Why'], lines, 'Everything ran.'),
  );
}
