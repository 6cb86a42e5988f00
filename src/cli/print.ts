import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable, printableLine } from '../text/wording.ts';

/** Writes a report. Creates its folder, as other test runners do. */
export function writeReport(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Writes an export. It can contain signing secrets and customers, so a new file is for its owner alone. */
export function writeExport(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

/** Prints text with a final line break, and with control characters escaped. Prints nothing for an empty text. */
export function print(text: string): void {
  if (text !== '') process.stdout.write(printable(text.endsWith('\n') ? text : `${text}\n`));
}

/** Prints a line or more to standard error, likewise. */
export function printError(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** A longer text, such as a path with a long query, does not widen its column. */
const WIDEST = 60;

/** Formats rows of text in aligned columns. */
export function alignColumns(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printableLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [place, text] of row.entries())
      widths[place] = Math.max(widths[place] ?? 0, Math.min(text.length, WIDEST));
  return rows
    .map((row) =>
      row
        .map((text, place) => text.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

interface ListedPage<T> {
  readonly items: readonly T[];
  readonly total_count?: number;
}

/** Formats a page of items in aligned rows, and how many items are not shown. Returns `none` for an empty page. */
export function printPage<T>(
  { items, total_count = items.length }: ListedPage<T>,
  rowOf: (item: T) => readonly string[],
  none: string,
): string {
  const rows = items.map(rowOf);
  const left = total_count - items.length;
  const more = left > 0 ? [`${left} more.`] : [];
  return [rows.length === 0 ? none : alignColumns(rows), ...more].join('\n');
}

/** Resolves on a signal, or when the reader of the output closes it. */
export function untilStopped(): Promise<void> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
}
