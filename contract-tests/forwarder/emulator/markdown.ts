import { registry } from '../../kit/registry.ts';
import type { TwinDifference } from './difference.ts';
import type { ReportedCause, TwinSummary, TwinVerdict } from './report.ts';

/** The result of a comparison as a short page in Markdown, new differences first. */
export function twinMarkdown(summary: TwinSummary, verdict: TwinVerdict, upstream: string): string {
  const { requests, compared, differences, operations, leftOut, lost } = summary;
  const known = verdict.causes.filter(({ isKnown }) => isKnown);
  const reasons = { ...leftOut, ...(lost > 0 && { 'it had no response': lost }) };
  return `${[
    `# Twin of ${cell(upstream)}`,
    '',
    `**${verdict.sentence}** ${requests} requests, ${compared} compared of ${operations} operations, ${differences} differences.`,
    '',
    ...table(
      'New differences',
      verdict.causes.filter(({ isKnown }) => !isKnown),
    ),
    ...table('Known differences', known),
    ...section(
      'Not compared',
      Object.entries(reasons).map(([why, count]) => `- ${count}: ${cell(why)}`),
    ),
  ].join('\n')}\n`;
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];

function table(title: string, causes: readonly ReportedCause[]): readonly string[] {
  if (causes.length === 0) return [];
  const rows = causes.map(({ first, count, followers }) => {
    const { kind, request, at, upstream, emulator } = first;
    const times = followers > 0 ? `${count}, ${followers} follow` : `${count}`;
    const parts = [`${request} ${at}`, kind, upstream, emulator, times, assumed(first)];
    return `| ${parts.map(cell).join(' | ')} |`;
  });
  const head = [
    '| Where | What | Service | Emulator | Times | Assumptions |',
    '|---|---|---|---|---|---|',
  ];
  return section(title, [...head, ...rows]);
}

const assumed = ({ assumptions }: TwinDifference): string =>
  assumptions
    .map((id) => `${id} ${registry().assumptions.get(id)?.title}`)
    .slice(0, 2)
    .join('; ');

/** Escapes text for a Markdown table cell. */
const cell = (text: string): string =>
  text.replaceAll(/[\\`*_<>|[\]#]/g, '\\$&').replaceAll('\n', ' ');
