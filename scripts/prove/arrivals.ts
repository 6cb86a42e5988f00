import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../build/places.ts';
import { writeTable } from '../write-table.ts';
import { ARRIVALS, type Arrival, documented } from './arrivals/table.ts';

/**
 * `npm run prove -- arrivals [NAME …]`: follows the documentation literally, from empty folders with the packed
 * packages, as new users do: developers with each test runner, a team with Python, QA engineers with Java, Go and the
 * command line, and the first hours of an integrator, a tester and whoever sets up CI. Needs the registries of npm,
 * PyPI, Go and Maven, and takes minutes. Each run writes its rows into the table of `docs/test-runners.md`, and reports
 * arrivals left out because a program or a right is missing.
 */
interface Outcome {
  readonly name: string;
  readonly result: 'played' | 'failed' | 'left out';
  /** The versions it ran with, or what is missing. */
  readonly by: string;
  readonly seconds: number;
}

/** Runs a command in a folder, with the programs installed there first in PATH. */
function shell(command: string, folder: string) {
  const bins = ['.venv/bin', `node_modules/node-linux-${process.arch}/bin`];
  const PATH = [...bins.map((bin) => join(folder, bin)), process.env['PATH']].join(':');
  return spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH, CI: '1' },
  });
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

function play(name: string, arrival: Arrival, packed: Packed, parent: string): Outcome {
  const { files, docs = name, packages = '', needs = [], commands = [], version } = arrival;
  const lacking = needs.filter((program) => shell(`command -v ${program}`, parent).status !== 0);
  if (lacking.length > 0)
    return { name, result: 'left out', by: `no ${lacking.join(', no ')} here`, seconds: 0 };
  const { right } = arrival;
  if (right && shell(right.shownBy, parent).status !== 0)
    return { name, result: 'left out', by: `no right to ${right.to} here`, seconds: 0 };

  const begun = performance.now();
  const folder = join(parent, name);
  const given = documented(docs);
  mkdirSync(folder);
  const tarballs = arrival.hasSuite ? [packed.emulator, packed.suite] : [packed.emulator];
  for (const tarball of tarballs) cpSync(tarball, join(folder, basename(tarball)));
  const manifest = JSON.stringify({ private: true, type: 'module' });
  writeFiles(folder, { 'package.json': manifest, ...files, ...given.files });
  const local = tarballs.map((tarball) => `./${basename(tarball)}`).join(' ');
  const install = `npm install --save-dev --no-audit --no-fund ${local} ${packages}`;
  for (const command of [install, ...commands, ...given.commands]) {
    const { status, stdout, stderr } = shell(command, folder);
    if (status === 0) continue;
    process.stdout.write(`${name}: ${command}\n${stdout}${stderr}\n`);
    return { name, result: 'failed', by: command, seconds: 0 };
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { name, result: 'played', by: shell(version, folder).stdout.trim(), seconds };
}

interface Packed {
  readonly emulator: string;
  readonly suite: string;
}

/** Packs a package. Returns the path of its tarball. */
function pack(folder: string, ...workspace: readonly string[]): string {
  const args = ['pack', '--silent', '--pack-destination', folder, ...workspace];
  const { stdout, status } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error('A package cannot be packed.');
  return join(folder, stdout.trim().split('\n').at(-1) as string);
}

/** Writes the outcomes into the table of the documentation, where each arrival has the row of its last run. */
function writeOutcomes(outcomes: readonly Outcome[]): void {
  const page = new URL('../../docs/test-runners.md', import.meta.url);
  const date = new Date().toISOString().slice(0, 10);
  const rows = outcomes.map(({ name, by, seconds }) => [
    name,
    `| \`${name}\` | ${by} | ${date} | ${seconds} |`,
  ]);
  const former = [...readFileSync(page, 'utf8').matchAll(/^\| `(\w+)` \| .*$/gm)].map(
    ([row, name]) => [name, row],
  );
  const latest: Record<string, string> = Object.fromEntries([...former, ...rows]);
  writeTable(page, 'arrivals', [
    '| arrival | with | last run | seconds |',
    '|---|---|---|--:|',
    ...Object.keys(ARRIVALS).flatMap((name) => latest[name] ?? []),
  ]);
}

const folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
try {
  const packed = {
    emulator: pack(folder),
    suite: pack(folder, '--workspace', 'billing-emulator-contract'),
  };
  const wanted = process.argv.slice(2);
  const chosen = Object.entries(ARRIVALS).filter(
    ([name]) => wanted.length === 0 || wanted.includes(name),
  );
  const outcomes = chosen.map(([name, arrival]) => {
    const outcome = play(name, arrival, packed, folder);
    const { result, seconds, by } = outcome;
    process.stdout.write(
      `${result}  ${name.padEnd(10)}  ${String(seconds).padStart(3)} s  ${arrival.who}: ${by}\n`,
    );
    return outcome;
  });
  writeOutcomes(outcomes.filter(({ result }) => result === 'played'));
  const failed = outcomes.length === 0 || outcomes.some(({ result }) => result === 'failed');
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
