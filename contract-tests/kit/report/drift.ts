import { stringify } from 'yaml';
import type { RunRecord } from '../run/record.ts';

/** The differences between a target and the assumptions, as text for a terminal. */
export function driftText({ assumptions, drift, target }: RunRecord): string {
  const lines = [`Drift of ${target.origin} (${target.environment})`, ''];
  for (const { id, verdict, title, details, probes } of assumptions)
    if (verdict !== 'unobserved')
      lines.push(
        `${verdict.padEnd(10)}${id.padEnd(7)}${title} (${[...new Set(probes)].join(', ')})`,
        ...details.map((detail) => `                 ${detail}`),
      );
  const unobserved = assumptions.filter(({ verdict }) => verdict === 'unobserved').length;
  lines.push(`${unobserved} assumptions were not observed.`, '');
  for (const { operation, status, finding, assumptions: ids, count } of drift.shapes)
    lines.push(`shape     ${operation} ${status}: ${finding} ${ids.join(' ')} (${count} times)`);
  for (const { operation, status, finding, count } of drift.undeclared)
    lines.push(`new field ${operation} ${status}: ${finding} (${count} times)`);
  for (const { check, name, value } of drift.observations)
    lines.push(`observed  ${check} ${name}: ${value}`);
  return `${lines.join('\n')}\n`;
}

/** Emulator settings, as YAML, that reproduce the observed behaviour of the target. */
export function settingsObserved({ drift, target, runId }: RunRecord): string {
  const settings: Record<string, string> = {};
  for (const { setting, value } of drift.observations)
    if (setting !== undefined) settings[setting] = value;
  const head = `# As observed at ${target.origin} (${target.environment}), run ${runId}.\n`;
  return `${head}${Object.keys(settings).length === 0 ? '{}\n' : stringify(settings)}`;
}
