import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processorMicros } from '../../bench/process.ts';
import {
  countEvents,
  HEADERS,
  postBatch,
  type Served,
  serve,
} from '../../src/testing/durability/serve.ts';
import { readFlags } from './flags.ts';

/**
 * `npm run prove -- volume [--events N]`: measures the cost of much data in the mode `on-commit`: a write with none, a
 * fifth and all of the events, the wait of another world during the writes, and exit, size, start and memory. Then
 * checks that all events are there.
 */
const { events } = readFlags({ events: 500_000 });
const BATCH = 500;
const SAMPLES = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'volume-'));
const data = join(folder, 'data.json');
const report = (name: string, value: string) =>
  process.stdout.write(`${name.padEnd(52)}${value}\n`);
const ms = (value: number) => `${value.toFixed(1)} ms`;
const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const begun = performance.now();
  const value = await work();
  return [performance.now() - begun, value];
}

/**
 * Measures the processor time of a single write, which is on disk before its response, while no snapshot is written.
 *
 * @units milliseconds
 */
async function measureWrites(served: Served, present: number): Promise<number> {
  while (existsSync(`${data}.new`)) await pause(100);
  const times: number[] = [];
  const begun = processorOf(served);
  for (let count = 0; count < SAMPLES; count += 1) {
    const body = JSON.stringify({ name: 'Vendor' });
    const [time] = await timed(async () =>
      (await fetch(`${served.url}/vendors`, { method: 'POST', headers: HEADERS, body })).text(),
    );
    times.push(time);
  }
  const processor = (1_000 * (processorOf(served) - begun)) / SAMPLES;
  const median = times.sort((left, right) => left - right)[SAMPLES / 2] as number;
  report(
    `a write with ${present} events, of it on the processor`,
    `${ms(median)}, ${ms(processor)}`,
  );
  return processor;
}

/** Reads from another world repeatedly. Returns a function that stops it and returns the longest wait. */
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

async function fill(url: string, from: number, to: number): Promise<void> {
  for (let count = from / BATCH; count * BATCH < to; count += 1) {
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

/** @units seconds */
const processorOf = ({ child }: Served): number => processorMicros(child.pid as number) / 1e6;

const memoryOf = ({ child }: Served): string =>
  /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? '0';

try {
  const first = await serve(data);
  const given = await countEvents(first.url);
  const bare = await measureWrites(first, 0);
  let written = 0;
  for (const part of [events / 5, events]) {
    const ended = watch(first.url);
    const [filling] = await timed(() => fill(first.url, written, part));
    report('longest wait of another world meanwhile', ms(await ended()));
    report(`events ${written} to ${part} written in`, seconds(filling));
    written = part;
    const processor = await measureWrites(first, part);
    report('processor time of a write, beside one with none', `${(processor / bare).toFixed(2)} x`);
  }
  report('memory', megabytes(Number(memoryOf(first)) * 1_024));
  report('exit', seconds(await stop(first)));
  for (const file of readdirSync(folder))
    report(file, megabytes(statSync(join(folder, file)).size));
  const [starting, second] = await timed(() => serve(data));
  report(
    'start, and its time on the processor',
    `${seconds(starting)}, ${processorOf(second).toFixed(1)} s`,
  );
  report('memory after it', megabytes(Number(memoryOf(second)) * 1_024));
  const kept = (await countEvents(second.url)) - given;
  report('events kept', String(kept));
  await stop(second);
  if (kept !== events) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
