import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HEADERS, postBatch, type Served, serve } from '../../src/testing/durability/serve.ts';

/**
 * `npm run prove -- volume [--events N]`: what it costs to keep much data in the mode `on-commit`. Measures a write
 * before and after, how long another world waits while it grows, and exit, size, start and memory; and looks whether all
 * events are there afterwards.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '500000' } } });
const events = Number(values.events);
const BATCH = 500;
const SAMPLES = 300;

const folder = mkdtempSync(join(tmpdir(), 'volume-'));
const data = join(folder, 'data.json');
const report = (name: string, value: string) =>
  process.stdout.write(`${name.padEnd(44)}${value}\n`);
const ms = (value: number) => `${value.toFixed(1)} ms`;
const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const begun = performance.now();
  const value = await work();
  return [performance.now() - begun, value];
}

/** The middle of the times of single writes, each on disk before it is answered. */
async function medianWrite(url: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < SAMPLES; count += 1) {
    const body = JSON.stringify({ name: 'Vendor' });
    const [time] = await timed(async () =>
      (await fetch(`${url}/vendors`, { method: 'POST', headers: HEADERS, body })).text(),
    );
    times.push(time);
  }
  return times.sort((left, right) => left - right)[SAMPLES / 2] as number;
}

/** Reads from another world again and again; answers how to stop, which answers the longest wait. */
function watch(url: string): () => Promise<number> {
  const headers = { Authorization: 'Bearer key_test_other' };
  const isOver = { now: false };
  let longest = 0;
  const done = (async () => {
    while (!isOver.now) {
      const [time] = await timed(async () => (await fetch(`${url}/vendors`, { headers })).text());
      longest = Math.max(longest, time);
    }
  })();
  return async () => {
    isOver.now = true;
    await done;
    return longest;
  };
}

async function countEvents(url: string): Promise<number> {
  const answer = await fetch(`${url}/events?limit=1`, { headers: HEADERS });
  return ((await answer.json()) as { total_count: number }).total_count;
}

async function fill(url: string): Promise<void> {
  for (let count = 0; count * BATCH < events; count += 1) {
    const answer = await postBatch(url, { writer: 1, count, size: BATCH });
    if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}

async function stop({ child }: Served): Promise<number> {
  const [time] = await timed(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return time;
}

/** User and system time of a process so far, which the kernel counts in hundredths of a second. */
function processorOf({ child }: Served): string {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / 100).toFixed(1);
}

const memoryOf = ({ child }: Served): string =>
  /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? '0';

try {
  const first = await serve(data);
  const given = await countEvents(first.url);
  const before = await medianWrite(first.url);
  const ended = watch(first.url);
  const [filling] = await timed(() => fill(first.url));
  report('longest wait of another world meanwhile', ms(await ended()));
  const after = await medianWrite(first.url);
  report(`${events} events written in`, seconds(filling));
  report(
    'a write with none, and with all of them',
    `${ms(before)}, ${ms(after)}, ${(after / before).toFixed(2)} x`,
  );
  report('memory', megabytes(Number(memoryOf(first)) * 1_024));
  report('exit', seconds(await stop(first)));
  report('snapshot', megabytes(statSync(data).size));
  const [starting, second] = await timed(() => serve(data));
  report('start, and its time on the processor', `${seconds(starting)}, ${processorOf(second)} s`);
  report('memory after it', megabytes(Number(memoryOf(second)) * 1_024));
  const kept = (await countEvents(second.url)) - given;
  report('events kept', String(kept));
  await stop(second);
  if (kept !== events) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
