import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces a table in a page, between the comments with its name. */
export function writeTable(file: URL, name: string, lines: readonly string[]): void {
  const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  const text = readFileSync(file, 'utf8').replace(
    between,
    (_, open: string, close: string) => `${open}\n${lines.join('\n')}\n\n${close}`,
  );
  writeFileSync(file, text);
}
