import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform } from 'node:os';
import { writeTable } from '../scripts/write-table.ts';

const README = new URL('README.md', import.meta.url);
const REPORTS = new URL('../reports/', import.meta.url);

/**
 * Prints a table, and stores it with all single figures in `reports/`. With `--write` it also replaces the table of
 * that name in bench/README.md.
 */
export function publish(name: string, lines: readonly string[], figures: unknown): void {
  const text = [...lines, '', describeRun()];
  process.stdout.write(`${text.join('\n')}\n`);
  mkdirSync(REPORTS, { recursive: true });
  const raw = { measured: describeRun(), figures };
  writeFileSync(new URL(`bench-${name}.json`, REPORTS), `${JSON.stringify(raw, null, 1)}\n`);
  if (process.argv.includes('--write')) writeTable(README, name, text);
}

/** Describes date and machine. The load average shows other work on the machine. */
function describeRun(): string {
  const load = loadavg().map((value) => value.toFixed(1));
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${platform()}, ` +
    `${cpus().length} cores; load average at the end ${load.join(', ')}.`
  );
}

/** The value of a flag of the command line, `--name=value`. */
export const flag = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Returns the arguments of the command line that are not flags. */
export const operands = (): readonly string[] =>
  process.argv.slice(3).filter((word) => !word.startsWith('--'));

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Median, minimum and maximum of figures. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (place: number) => sorted[place] ?? Number.NaN;
  return { median: at(sorted.length >> 1), least: at(0), most: at(sorted.length - 1) };
}

export const median = (values: readonly number[]): number => spread(values).median;
