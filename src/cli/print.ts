/** Prints text as lines of their own. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Rows of text in columns that line up. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [place, text] of row.entries())
      widths[place] = Math.max(widths[place] ?? 0, text.length);
  return rows
    .map((row) =>
      row
        .map((text, place) => text.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
