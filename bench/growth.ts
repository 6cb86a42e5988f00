import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Shows what grows with a world: `npm run bench -- growth [events] [customers]`. Every read is measured in a world of
 * 1,000 events and in a large one for as many items answered, and for each operation that may take long how long a
 * request to another world waits meanwhile.
 */
interface Measured {
  readonly memory: number;
  readonly growth: readonly { name: string; small: number; large: number }[];
  readonly waits: readonly {
    readonly name: string;
    readonly took: number;
    /** Of processor time. */
    readonly cost: number;
    readonly wait: number;
    /** The most processor time during one wait. */
    readonly used: number;
  }[];
}

export async function reportGrowth([
  events = '1000000',
  customers = '100000',
]: readonly string[]): Promise<void> {
  const child = fork(
    fileURLToPath(new URL('growth-run.ts', import.meta.url)),
    [events, customers],
    {
      execArgv: ['--expose-gc', '--max-old-space-size=16000', '--import', 'tsx'],
    },
  );
  const [[measured]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [
    [Measured],
    unknown,
  ];
  const count = (text: string) => Number(text).toLocaleString('en-US');
  const report = [
    `${count(events)} events and ${count(customers)} customers take ${(measured.memory / 1e6).toFixed(0)} MB.`,
    '',
    `| read | at 1,000 events | at ${count(events)} | ratio |`,
    '|---|---|---|---|',
    ...measured.growth.map(
      ({ name, small, large }) =>
        `| ${name} | ${ms(small)} | ${ms(large)} | ${(large / small).toFixed(1)} |`,
    ),
    '',
    '| operation | took | processor time | longest wait of another world | most processor time in a wait |',
    '|---|---|---|---|---|',
    ...measured.waits.map(
      ({ name, ...times }) =>
        `| ${name} | ${[times.took, times.cost, times.wait, times.used].map(ms).join(' | ')} |`,
    ),
    '',
  ].join('\n');
  process.stdout.write(report);
  const reports = new URL('../reports/', import.meta.url);
  mkdirSync(reports, { recursive: true });
  writeFileSync(new URL('growth.md', reports), report);
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
