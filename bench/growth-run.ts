import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { createEmulator } from '../src/emulator.ts';
import { HEAVY, READS, type Read } from './growth-reads.ts';
import { type SeededWorld, seedWorld } from './growth-world.ts';
import { median } from './statistics.ts';

/**
 * Fills a small world, a large one and one more, and tells the parent what each read takes in the first two, and
 * how long a request to the third waits while the large one is read.
 */
const [events, customers] = process.argv.slice(2).map(Number) as [number, number];
const SMALL = { events: 1_000, customers: 100 };
const READ_MS = 600;
const MOST_READS = 200;
let asked = 0;

const settings = {
  port: 0,
  clock: 'frozen',
  clock_now: '2026-01-01T00:00:00Z',
  fixture: '',
  log_level: 'silent',
};
const emulator = createEmulator({ settings });
const url = await emulator.listen();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const small = seedWorld(emulator, 'small', SMALL);
const large = seedWorld(emulator, 'large', { events, customers });
seedWorld(emulator, 'other', { events: 1_000, customers: 10 });
globalThis.gc?.();
const memory = process.memoryUsage().heapUsed;

const growth: { name: string; small: number; large: number }[] = [];
for (const read of READS) {
  await measure(small, read);
  const row = {
    name: read.name,
    small: await measure(small, read),
    large: await measure(large, read),
  };
  growth.push(row);
  process.stderr.write(`${row.name}: ${row.small.toFixed(2)} ${row.large.toFixed(2)}\n`);
}

const waits: { name: string; took: number; cost: number; wait: number; used: number }[] = [];
const worker = new Worker(new URL('growth-pinger.mjs', import.meta.url), { workerData: url });
await once(worker, 'message');
for (const read of [{ name: 'nothing', path: () => '/customers' }, ...HEAVY]) {
  worker.postMessage('begin');
  await once(worker, 'message');
  const { took, used: cost } = await send(large, read);
  worker.postMessage('end');
  const [{ wait, used }] = (await once(worker, 'message')) as [{ wait: number; used: number }];
  waits.push({ name: read.name, took, cost, wait, used });
  process.stderr.write(`${read.name}: took ${took.toFixed(0)} waited ${wait.toFixed(0)}\n`);
}
process.send?.({ memory, growth, waits });
process.disconnect?.();
await worker.terminate();
agent.destroy();
await emulator.close();

/** The median of milliseconds of processor time, asking included. */
async function measure(seeded: SeededWorld, read: Read): Promise<number> {
  const times: number[] = [];
  const until = performance.now() + READ_MS;
  while (times.length < 3 || (performance.now() < until && times.length < MOST_READS))
    times.push((await send(seeded, read)).used);
  return median(times);
}

/** Milliseconds from asking to the last byte, and of processor time meanwhile. */
async function send(
  seeded: SeededWorld,
  { name, method = 'GET', path }: Read,
): Promise<{ took: number; used: number }> {
  const { sandbox, environment } = seeded.world;
  const key = `key_${environment}_${sandbox}`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const at = path(seeded);
  // A query without parameters says nothing, yet makes another address, of which no answer is kept.
  asked += 1;
  const anew = `${at.includes('?') ? '&' : '?'}${'&'.repeat(asked % MOST_READS)}`;
  const address = at.startsWith('/_emulator/ui')
    ? `${at}${at.includes('?') ? '&' : '?'}key=${key}`
    : at + anew;
  const started = performance.now();
  const before = process.cpuUsage();
  const sent = request(`${url}${address}`, { method, headers, agent });
  sent.end(method === 'POST' ? '{"name":"kept"}' : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if ((response.statusCode ?? 500) >= 400) throw new Error(`${name}: ${response.statusCode}`);
  const { user, system } = process.cpuUsage(before);
  return { took: performance.now() - started, used: (user + system) / 1_000 };
}
