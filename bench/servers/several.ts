import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { Fleet, headersFor } from '../../src/testing/durability/fleet.ts';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres/server.ts';
import { processorMicros } from '../process.ts';
import { count, flag, median, publish } from '../publish.ts';

/**
 * `npm run bench -- several [--rounds=N] [--only=WORDS]`: measures two emulators of one database next to one, in turns within
 * one run. Only the processor time of the emulators counts, neither that of PostgreSQL nor of the load generator.
 */

/** Worlds, which the emulators hold in turn. */
const KEYS = Array.from({ length: 20 }, (_, place) => `key_test_w${place}`);
const ROUNDS = Number(flag('rounds') ?? 7);
/** Rounds before the first that counts, after which code is compiled and connections are open. */
const WARM_UP = 3;
/** To each emulator, so that each is as busy as it can be, however many there are. */
const CONNECTIONS = 32;
/** Enough for fifty of the kernel's ticks, in which processor time is counted. */
const REQUESTS = 30_000;
const SINGLE = 1_000;
/** Microseconds in a second. */
const SECOND = 1e6;

interface Load {
  readonly name: string;
  readonly request: Pick<autocannon.Request, 'method' | 'path' | 'body'>;
}

const LOADS: readonly Load[] = [
  { name: 'GET a customer', request: { method: 'GET', path: '/customers?limit=1' } },
  {
    name: 'POST a customer',
    request: { method: 'POST', path: '/customers', body: JSON.stringify({ name: 'Ann' }) },
  },
];

const loads = LOADS.filter(({ name }) => name.includes(flag('only') ?? ''));

/** The worlds whose requests an emulator gets. */
type Route = (emulator: number) => readonly string[];

const all: Route = () => KEYS;
const held: Route = (emulator) => KEYS.filter((_, place) => place % 2 === emulator);
const others: Route = (emulator) => held(1 - emulator);

const emulatorsOf = ({ shape }: Fleet) => Array.from({ length: shape.size }, (_, place) => place);

/** Sends as many requests to each emulator. @returns requests for each CPU second of the busiest one */
async function served(fleet: Fleet, { request: asked }: Load, route: Route): Promise<number> {
  const used = () =>
    emulatorsOf(fleet).map((place) => processorMicros(fleet.processOf(place).pid as number));
  const before = used();
  await Promise.all(
    emulatorsOf(fleet).map(async (place) => {
      const { non2xx, errors } = await autocannon({
        url: fleet.urlOf(place),
        connections: CONNECTIONS,
        amount: REQUESTS,
        requests: route(place).map((key) => ({ ...asked, headers: headersFor(key) })),
      });
      if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} not answered`);
    }),
  );
  const busiest = Math.max(...used().map((micros, place) => micros - (before[place] as number)));
  return (REQUESTS * fleet.shape.size * SECOND) / busiest;
}

/** The median time of single requests, sent to each emulator in turn. @returns milliseconds */
async function latency(fleet: Fleet, route: Route): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const took: number[] = [];
  for (let at = 0; at < SINGLE; at += 1) {
    const keys = route(at % fleet.shape.size);
    const url = fleet.urlOf(at % fleet.shape.size);
    took.push(await read(agent, url, keys[at % keys.length] as string));
  }
  agent.destroy();
  return median(took);
}

function read(agent: Agent, url: string, key: string): Promise<number> {
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

const folder = mkdtempSync(join(tmpdir(), 'several-'));
const databases: TestPostgres[] = [];

async function startFleet(size: number): Promise<Fleet> {
  const postgres = await startPostgres();
  databases.push(postgres);
  const own = mkdtempSync(join(folder, 'fleet-'));
  const fleet = new Fleet(postgres, own, {
    size,
    isBalanced: true,
    fixture: 'quickstart',
    keys: KEYS,
  });
  await fleet.start();
  // Whoever is asked first claims a world.
  for (const [place, key] of KEYS.entries())
    await read(new Agent(), fleet.urlOf(place % size), key);
  return fleet;
}

const [one, two] = [await startFleet(1), await startFleet(2)];
const COLUMNS: readonly (readonly [string, Fleet, Route])[] = [
  ['one', one, all],
  ['two, each to the holder of its world', two, held],
  ['two, each to either by turns', two, all],
];

/** Measures in turns, so that other work on the machine slows all alike. */
async function measure(load: Load): Promise<readonly number[][]> {
  const figures: number[][] = COLUMNS.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [place, [, fleet, route]] of COLUMNS.entries()) {
      const figure = await served(fleet, load, route);
      if (round >= 0) figures[place]?.push(figure);
    }
  return figures;
}

const measured: (readonly number[][])[] = [];
for (const load of loads) measured.push(await measure(load));
const hop = (await latency(two, others)) - (await latency(two, held));

function cell([alone = [], ...rest]: readonly number[][], place: number): string {
  const figures = place === 0 ? alone : (rest[place - 1] as number[]);
  const ratio = median(figures.map((figure, round) => figure / (alone[round] as number)));
  return `${count(median(figures))}: **${ratio.toFixed(2)}**`;
}

publish(
  'several',
  [
    `| emulators, and where requests go | ${loads.map(({ name }) => name).join(' | ')} |`,
    `|---|${loads.map(() => '--:|').join('')}`,
    ...COLUMNS.map(
      ([name], place) => `| ${name} | ${measured.map((each) => cell(each, place)).join(' | ')} |`,
    ),
    '',
    `The hop adds ${hop.toFixed(2)} ms at the median.`,
  ],
  { measured, hop },
);
for (const fleet of [one, two]) await fleet.stop();
for (const postgres of databases) await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
