import { runBeside } from './process.ts';
import { count, operands, publish } from './publish.ts';

/**
 * `npm run bench -- growth [events] [customers]`: shows which reads get slower in a large world. Measures each read in a
 * world of 1,000 events and in a large one, with the same number of items in the response.
 */
interface Measured {
  readonly memory: number;
  readonly growth: readonly { name: string; small: number; large: number }[];
}

const [events = '1000000', customers = '100000'] = operands();
const { told: measured } = await runBeside<Measured>(
  'growth-run.ts',
  [events, customers],
  ['--max-old-space-size=16000'],
);
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const size = `${count(Number(events))} events`;
publish(
  'growth',
  [
    `${size} and ${count(Number(customers))} customers take ${count(measured.memory / 1e6)} MB.`,
    '',
    `| read | at 1,000 events | at ${size} | ratio |`,
    '|---|---|---|---|',
    ...measured.growth.map(
      ({ name, small, large }) =>
        `| ${name} | ${ms(small)} | ${ms(large)} | ${(large / small).toFixed(1)} |`,
    ),
  ],
  measured,
);
