import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fleet } from '../../src/testing/durability/fleet.ts';
import { headersFor } from '../../src/testing/durability/serve.ts';
import { startPostgres } from '../../src/testing/postgres/server.ts';
import { count, median, publish } from '../publish.ts';

/** Worlds, which the emulators hold by turns. */
const KEYS = Array.from({ length: 20 }, (_, place) => `key_test_w${place}`);
const REQUESTS = 6_000;
const CLIENTS = 8;
const SINGLE = 1_000;
/** Length of a tick of the kernel's clock, which is the same on every Linux that Node runs on. */
const SECONDS_PER_TICK = 0.01;

const agent = new Agent({ keepAlive: true });

/** Reads the customers of a world, and returns how long that took. @units milliseconds */
function read(url: string, key: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request(`${url}/customers?limit=1`, { agent, headers: headersFor(key) }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
      answer.resume().on('end', () => resolve(performance.now() - began));
    })
      .on('error', reject)
      .end();
  });
}

/** How many CPU seconds a process has used. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * SECONDS_PER_TICK;
}

type Route = (at: number) => number;

const holder: Route = (at) => (at % KEYS.length) % 2;
const byTurns: Route = (at) => (at + Math.floor(at / KEYS.length)) % 2;
const other: Route = (at) => 1 - holder(at);

/** Requests for each CPU second of the busiest emulator. */
async function served(fleet: Fleet, emulatorOf: Route): Promise<number> {
  const pids = Array.from({ length: fleet.shape.size }, (_, place) =>
    Number(fleet.processOf(place).pid),
  );
  const before = pids.map(cpuOf);
  let next = 0;
  const client = async () => {
    while (next < REQUESTS) {
      const at = next;
      next += 1;
      await read(fleet.urlOf(emulatorOf(at)), KEYS[at % KEYS.length] as string);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return REQUESTS / Math.max(...pids.map((pid, place) => cpuOf(pid) - Number(before[place])));
}

async function latency(fleet: Fleet, emulatorOf: Route): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < SINGLE; at += 1)
    took.push(await read(fleet.urlOf(emulatorOf(at)), KEYS[at % KEYS.length] as string));
  return median(took);
}

async function withFleet<T>(size: number, measure: (fleet: Fleet) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'several-'));
  const postgres = await startPostgres();
  const fleet = new Fleet(postgres, folder, { size, isBalanced: true, keys: KEYS });
  try {
    await fleet.start();
    for (const [place, key] of KEYS.entries()) await read(fleet.urlOf(place % size), key);
    // Compiled code and open connections, as after a while.
    for (let round = 0; round < 3; round += 1)
      await served(fleet, (at) => (size === 1 ? 0 : byTurns(at)));
    return await measure(fleet);
  } finally {
    await fleet.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const one = await withFleet(1, (fleet) => served(fleet, () => 0));
const two = await withFleet(2, async (fleet) => ({
  direct: await served(fleet, holder),
  byTurns: await served(fleet, byTurns),
  hop: (await latency(fleet, other)) - (await latency(fleet, holder)),
}));
publish(
  'several',
  [
    '| emulators, and where requests go | requests per CPU second of the busiest | ratio |',
    '|---|--:|--:|',
    `| one | ${count(one)} | 1.0 |`,
    `| two, each to the holder of its world | ${count(two.direct)} | ${(two.direct / one).toFixed(2)} |`,
    `| two, each to either by turns | ${count(two.byTurns)} | ${(two.byTurns / one).toFixed(2)} |`,
    '',
    `The hop adds ${two.hop.toFixed(2)} ms at the median.`,
  ],
  { one, ...two },
);
process.exit(0);
