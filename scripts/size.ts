import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './build/places.ts';
import { BASE, type Figures, measure } from './measure.ts';

/**
 * `npm run size [REVISION]`: how large the project is, beside what it was at a37b50c0. With a revision it prints the
 * figures of that one as JSON, by which `BASE` was made.
 */
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30 });

const [revision] = process.argv.slice(2);
if (revision === undefined) print(await measure(ROOT, linesOf(git('ls-files'))));
else {
  const files = linesOf(git('ls-tree', '-r', '--name-only', revision));
  const figures = await measure(checkOut(revision), files);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}

/** The files of a revision, in a folder of their own beside the installed packages. */
function checkOut(revision: string): string {
  const folder = `${mkdtempSync(join(tmpdir(), 'size-'))}/`;
  execFileSync('bash', ['-c', 'git archive "$0" | tar -x -C "$1"', revision, folder], {
    cwd: ROOT,
  });
  symlinkSync(`${ROOT}node_modules`, `${folder}node_modules`);
  return folder;
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter(Boolean);
}

function print(now: Figures): void {
  const row = (...[name, ...cells]: readonly unknown[]): string =>
    `${String(name).padEnd(58)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  process.stdout.write(row('', 'a37b50c0', 'now', 'share'));
  for (const [name, figure] of Object.entries(now)) {
    const before = BASE[name as keyof Figures];
    const share = before === 0 ? '' : `${((100 * figure) / before).toFixed(0)} %`;
    process.stdout.write(
      row(name, before.toLocaleString('en'), figure.toLocaleString('en'), share),
    );
  }
}
