import { EXIT_MEANINGS } from '../src/cli/exit-codes.ts';
import { createProgram, leavesOf } from '../src/cli/program.ts';
import { notesOf } from '../src/cli/verb-notes.ts';
import { writeTable } from './write-table.ts';

const PAGE = new URL('../docs/reference.md', import.meta.url);

/** Writes the exit codes of all verbs into the command line page of the documentation. */
export function writeCommandLinePage(): void {
  const codes = Object.keys(EXIT_MEANINGS).map(Number);
  const rows = leavesOf(createProgram()).map(({ words }) => {
    const { exits } = notesOf(words);
    return `| \`${words}\` | ${codes.map((code) => (exits.includes(code) ? '●' : '')).join(' | ')} |`;
  });
  writeTable(PAGE, 'exit codes', [
    '| code | meaning |',
    '|---|---|',
    ...codes.map((code) => `| ${code} | ${EXIT_MEANINGS[code]} |`),
    '',
    `| command | ${codes.join(' | ')} |`,
    `|---|${codes.map(() => ':-:|').join('')}`,
    ...rows,
  ]);
}
