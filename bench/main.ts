import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build, RUNNING } from '../scripts/build/parts.ts';
import { describeDueWork, measureDueWork } from './due-work.ts';
import { reportGrowth } from './growth.ts';
import { openTarget, type Target } from './load.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { measureStart } from './start-up.ts';

/**
 * Measures the emulator beside a bare `node:http` server that parses and echoes the same JSON, in turns
 * within one run. What counts is the processor time of the server for one request, so that a slow load
 * generator cannot hide a slow server. `npm run bench -- [seconds] [--write]`: with `--write` those of bench/README.md
 * are replaced. `npm run bench -- growth` shows what grows with a world instead.
 */
const ROUNDS = 3;
const SECONDS = Number(process.argv[2]) || 2;

interface Row {
  readonly name: string;
  readonly bare: number;
  readonly emulator: number;
}

const REPORTS = new URL('../reports/', import.meta.url);

if (process.argv[2] === 'growth') await reportGrowth(process.argv.slice(3));
else await compareWithBare();

async function compareWithBare(): Promise<void> {
  await build(RUNNING);
  const bare = await openTarget('bench/bare-server.ts');
  const emulator = await openTarget('bench/emulator-server.ts');
  const rows: Row[] = [];
  for (const scenario of SCENARIOS) rows.push(await measure(scenario, bare, emulator));
  await Promise.all([bare.close(), emulator.close()]);
  const start = await measureStart();
  const dueWork = await measureDueWork();

  const table = [
    '| request | bare `node:http` | emulator | ratio |',
    '|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.name} | ${micros(row.bare)} | ${micros(row.emulator)} | ${(row.emulator / row.bare).toFixed(1)} |`,
    ),
    `| start to first answer | ${start.bare} ms | ${start.emulator} ms | ${(start.emulator / start.bare).toFixed(1)} |`,
    '',
    describeDueWork(dueWork),
  ].join('\n');
  process.stdout.write(`${table}\n`);
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(new URL('bench.md', REPORTS), `${table}\n`);
  if (process.argv.includes('--write')) writeTable(table);
}

function writeTable(text: string): void {
  const file = new URL('README.md', import.meta.url);
  const readme = readFileSync(file, 'utf8').replace(
    /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/,
    (_, open: string, close: string) => `${open}\n${text}\n\n${close}`,
  );
  writeFileSync(file, readme);
}

/** Median processor time per request of both servers, measured in turns. */
async function measure(scenario: Scenario, bare: Target, emulator: Target): Promise<Row> {
  const times: Record<'bare' | 'emulator', number[]> = { bare: [], emulator: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.bare.push(await bare.load(scenario, SECONDS));
    times.emulator.push(await emulator.load(scenario, SECONDS));
  }
  return { name: scenario.name, bare: median(times.bare), emulator: median(times.emulator) };
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number;
}

function micros(value: number): string {
  return `${value.toFixed(1)} µs`;
}
