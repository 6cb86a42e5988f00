import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { build, RUNNING } from '../scripts/build/parts.ts';
import { freePort, hasPostgres, startPostgres } from '../src/testing/postgres/server.ts';
import { installPeers } from './peers.ts';
import { isAnswered, keepToOwnCore, launch, processorMicros, stop } from './process.ts';
import { count, flag, publish, type Spread, spread } from './publish.ts';
import {
  BARE,
  emulatorAt,
  KEY,
  keepResponses,
  SCENARIOS,
  type Scenario,
  type Server,
} from './servers.ts';
import { measureSizes, sizesTable } from './stores/sizes.ts';

/**
 * `npm run bench -- servers|peers|stores [--rounds=N] [--only=WORDS] [--beside=FOLDER]`: measures the processor time of
 * a request next to that of a bare `node:http` server that responds with the same bytes, in turns within one run.
 * `peers` also installs and measures other servers. `stores` measures the emulator that keeps its data in a file and in
 * PostgreSQL next to one that keeps it in memory, and a large world in each, unless `--only` names requests. `--beside`
 * also measures the built emulator of another checkout. Only the time of the server counts, so that a slow load
 * generator cannot hide a slow server.
 */
const name = ['peers', 'stores'].find((each) => each === process.argv[2]) ?? 'servers';
const ROUNDS = Number(flag('rounds') ?? 5);
const SLICE_SECONDS = 1;
/** Processor time of the server per turn, independent of its share of the machine. */
const TURN_MICROS = 400_000;
const MAX_SLICES = 30;
const START_MS = 30_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const only = flag('only') ?? '';
const scenarios = SCENARIOS.filter((scenario) => scenario.name.includes(only));

/** A started server, or the reason why it did not start. */
interface Running {
  readonly server: Server;
  readonly url: string;
  readonly paths: Server['paths'];
  readonly pid: number;
  readonly failure?: string;
  close(): Promise<void>;
}

interface Cell {
  /** Microseconds per request, by round. */
  readonly micros: number[];
  failure?: string;
}

interface Row {
  readonly name: string;
  readonly version: string;
  readonly cells: readonly Cell[];
}

await build(RUNNING);
const folder = mkdtempSync(`${tmpdir()}/bench-`);
const postgres = name === 'stores' && hasPostgres ? await startPostgres() : undefined;
const sizes =
  name === 'stores' && only === ''
    ? await measureSizes(postgres && `${postgres.url}?schema=sizes`)
    : [];
keepToOwnCore();
const running = await (name === 'stores' ? openStores() : openAll());
const rows = await measureAll(running);
await Promise.all(running.map((each) => each.close()));
await postgres?.stop();
rmSync(folder, { recursive: true });
const lines = [...table(rows), ...eventCost(rows[1] as Row)];
if (sizes.length > 0) lines.push('', ...sizesTable(sizes));
publish(name, lines, { rows, sizes });
process.exit();

/** Starts the bare server, the emulator and the servers it is compared with. */
async function openAll(): Promise<Running[]> {
  const emulator = await open(emulatorAt(ROOT));
  if (emulator.failure !== undefined) throw new Error(emulator.failure);
  const customer = emulator.paths.one as string;
  await keepResponses(emulator.url, customer, folder);
  const beside = flag('beside');
  const others = [
    ...(beside === undefined ? [] : [emulatorAt(beside, 'emulator beside')]),
    ...(name === 'peers' ? installPeers() : []),
  ];
  const running = [await open(BARE), emulator];
  for (const server of others) running.push(await open(server, customer));
  return running;
}

/** Starts one emulator for each kind of storage, in memory first. */
async function openStores(): Promise<Running[]> {
  const kinds = {
    memory: '',
    file: `${folder}/data.json`,
    ...(postgres && { PostgreSQL: postgres.url }),
  };
  const running: Running[] = [];
  for (const [kind, data] of Object.entries(kinds))
    running.push(await open(emulatorAt(ROOT, kind, data)));
  return running;
}

async function open(server: Server, customer = ''): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = launch(server.line(port, folder));
  const running = { server, url, pid: child.pid as number, close: () => stop(child) };
  try {
    const until = performance.now() + START_MS;
    while (!(await isAnswered(url))) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} as it started`);
      if (performance.now() > until) throw new Error(`no answer in ${START_MS / 1000} s`);
      await sleep(50);
    }
    const one = (await server.prepare?.(url)) ?? customer;
    return { ...running, paths: { one, ...server.paths } };
  } catch (error) {
    return { ...running, paths: {}, failure: (error as Error).message };
  }
}

/** Measures the servers in turns, so that other load on the machine affects all of them. */
async function measureAll(servers: readonly Running[]): Promise<readonly Row[]> {
  const rows = servers.map(({ server }) => ({
    name: server.name,
    version: server.version,
    cells: scenarios.map((): Cell => ({ micros: [] })),
  }));
  for (const [column, scenario] of scenarios.entries())
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [place, each] of servers.entries()) {
        const cell = rows[place]?.cells[column] as Cell;
        if (cell.failure === undefined) await measure(each, scenario, cell);
        // The first round is a warm-up.
        if (round === 0) cell.micros.length = 0;
      }
  return rows;
}

async function measure(running: Running, scenario: Scenario, cell: Cell): Promise<void> {
  try {
    cell.micros.push(await load(running, scenario));
  } catch (error) {
    cell.failure = (error as Error).message;
    process.stderr.write(`${running.server.name}: ${scenario.name}: ${cell.failure}\n`);
  }
}

/** Returns the server's processor time per request, in microseconds. */
async function load(running: Running, { to, body }: Scenario): Promise<number> {
  const { url, paths, pid, failure } = running;
  const path = paths[to];
  if (path === undefined) throw new Error(failure);
  const before = processorMicros(pid);
  let [answered, used] = [0, 0];
  for (let slice = 0; slice < MAX_SLICES && used < TURN_MICROS; slice += 1) {
    const { non2xx, errors, requests, statusCodeStats } = await autocannon({
      url: url + path,
      connections: 8,
      duration: SLICE_SECONDS,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && {
        method: 'POST',
        requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify(body()) }) }],
      }),
    });
    if (non2xx > 0)
      throw new Error(`responds with ${Object.keys(statusCodeStats ?? {}).join(', ')}`);
    if (errors > 0) throw new Error('does not keep up');
    answered += requests.total;
    used = processorMicros(pid) - before;
  }
  return used / answered;
}

function table([bare, ...rest]: readonly Row[]): readonly string[] {
  return [
    `| server | ${scenarios.map((scenario) => scenario.name).join(' | ')} |`,
    `|---|${'---|'.repeat(scenarios.length)}`,
    line(bare as Row, ({ micros }) => time(spread(micros).median)),
    ...rest.map((row) =>
      line(row, ({ micros }, column) => {
        const ceiling = bare?.cells[column]?.micros as number[];
        const ratio = spread(micros.map((value, round) => (ceiling[round] as number) / value));
        return `${time(spread(micros).median)}: ${describe(ratio)}`;
      }),
    ),
  ];
}

function line(row: Row, cellOf: (cell: Cell, column: number) => string): string {
  const cells = row.cells.map((cell, column) => cell.failure ?? cellOf(cell, column));
  return `| ${[`${row.name} ${row.version}`.trim(), ...cells].join(' | ')} |`;
}

function describe({ median, least, most }: Spread): string {
  const [middle, low, high] = [median, least, most].map((value) => value.toPrecision(2));
  return `**${middle}** (${low}–${high})`;
}

function time(micros: number): string {
  return `${micros < 100 ? micros.toFixed(1) : count(micros)} µs`;
}

/** The cost of a batch per event and per fee. Empty if no batch was measured. */
function eventCost({ cells }: Row): readonly string[] {
  const costs = scenarios.flatMap(({ name, events, fees }, column) => {
    const { median } = spread(cells[column]?.micros ?? []);
    if (!events || !fees) return [];
    const each = `${(median / events).toFixed(1)} µs an event, ${(median / fees).toFixed(1)} µs a fee`;
    return [`${name}: ${each}, ${count((events / median) * 1e6)} events per second`];
  });
  return costs.length === 0 ? [] : ['', `The emulator's CPU time by events: ${costs.join('; ')}.`];
}
