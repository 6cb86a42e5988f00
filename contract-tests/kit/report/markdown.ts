import { requestOf } from '../operations.ts';
import type { Cause, RunRecord } from '../run/record.ts';
import { notRunInWords } from './not-run.ts';
import { countsInWords } from './terminal.ts';

/** The run as a short page for a job summary. */
export function markdownSummary(record: RunRecord): string {
  const { claim, target, exit, causes, assumptions, runId, plan, effects } = record;
  const refuted = assumptions.filter(({ verdict }) => verdict === 'refuted');
  const lines = [
    `# Contract: ${cell(claim)}`,
    '',
    `${cell(target.origin)}, ${target.environment}, run ${runId}, up to ${plan.ceiling}, exit ${exit.code}.`,
    ...exit.reasons.map(({ code, text }) => `- ${code}: ${cell(text)}`),
    '',
    ...counts(record),
    '',
    ...section('Failures by cause', causes.map(causeLine)),
    ...section(
      'Assumed otherwise than observed',
      refuted.map(({ id, title }) => `- ${id} ${cell(title)}`),
    ),
    ...section(
      'Not removed',
      effects.leftovers.map((leftover) => `- ${cell(leftover)}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const counts = ({ totals, matrix, effects, waits, checks }: RunRecord): readonly string[] => [
  '| | |',
  '|---|---|',
  `| Checks | ${countsInWords(totals)} |`,
  ...notRunInWords(checks).map((reason) => `| Not run | ${cell(reason)} |`),
  `| Cells | ${matrix.asserted} of ${matrix.total} asserted, ${matrix.exempt} exempt |`,
  `| Operations | ${matrix.operations.asserted} of ${matrix.operations.total} |`,
  `| Query parameters | ${matrix.queryParameters.used} of ${matrix.queryParameters.total} |`,
  `| Requests | ${effects.requests} |`,
  ...waits.map((wait) => `| Waits | ${cell(wait)} |`),
];

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];

function causeLine({ outcome, operation, requirement, difference, checks }: Cause): string {
  const place = [requestOf(operation), requirement].filter((part) => part !== '').join(', ');
  return `- **${outcome}** ${cell(difference.split('\n')[0] ?? '')} (${checks.length}; ${cell(place)})`;
}

/** Escapes text for a Markdown table cell. */
const cell = (text: string): string =>
  text.replaceAll(/[\\`*_<>|[\]#]/g, '\\$&').replaceAll('\n', ' ');
