import { build, RUNNING } from '../scripts/build/parts.ts';
import { freePort } from '../src/testing/postgres/server.ts';
import { isAnswered, launch, processorMicros, stop } from './process.ts';
import { count, publish, spread } from './publish.ts';

const ROUNDS = 7;

const BARE =
  "require('node:http').createServer((_, response) => response.end('[]')).listen(process.argv[1])";

/**
 * `npm run bench -- start`: measures the milliseconds from starting a process to its first response, for a bare server
 * and the emulator in turns.
 */
const LINES: Readonly<Record<string, (port: string) => readonly string[]>> = {
  'bare `node:http`': (port) => ['-e', BARE, port],
  emulator: (port) => ['bin/billing-emulator.js', '--port', port],
};

await build(RUNNING);
const figures: Record<string, Started[]> = {};
// The first round, which loads new files from the disk, is not counted.
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [name, lineOf] of Object.entries(LINES)) {
    const started = await timeFirstAnswer(lineOf);
    if (round > 0) figures[name] = [...(figures[name] ?? []), started];
  }
const lines = Object.entries(figures).map(([name, all]) => {
  const { median, least, most } = spread(all.map(({ took }) => took));
  const processor = spread(all.map(({ used }) => used)).median;
  return `| ${name} | ${count(median)} ms (${count(least)}–${count(most)}) | ${count(processor)} ms |`;
});
publish(
  'start',
  ['| start to first response | took | CPU time |', '|---|---|---|', ...lines],
  figures,
);

interface Started {
  /** @units milliseconds */
  readonly took: number;
  readonly used: number;
}

async function timeFirstAnswer(lineOf: (port: string) => readonly string[]): Promise<Started> {
  const port = await freePort();
  const started = performance.now();
  const child = launch([process.execPath, ...lineOf(String(port))]);
  const url = `http://127.0.0.1:${port}/customers`;
  const headers = { Authorization: 'Bearer key_test_emulator' };
  while (!(await isAnswered(url, headers))) await new Promise((resolve) => setTimeout(resolve, 1));
  const took = performance.now() - started;
  const used = processorMicros(child.pid as number) / 1_000;
  await stop(child);
  return { took, used };
}
