import type { RunRecord } from '../run/record.ts';

/** What a badge says of the run, as shields.io and others read it from an endpoint. */
export function badgeJson({ exit, matrix, claim }: RunRecord): string {
  const { asserted, exempt, total } = matrix;
  const isWhole = claim.startsWith('conformant');
  const passed = isWhole ? 'conformant' : 'partial';
  const word = exit.code === 0 ? passed : 'broken';
  const color = { conformant: 'brightgreen', partial: 'yellow', broken: 'red' }[word];
  const cells = `${asserted + exempt}/${total} cells`;
  const badge = { schemaVersion: 1, label: 'contract', message: `${word}, ${cells}`, color };
  return `${JSON.stringify(badge)}\n`;
}
