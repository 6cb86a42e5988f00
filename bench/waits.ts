import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { IMAGE_FLAGS } from '../src/testing/durability/fleet.ts';
import { READS, withKey } from './growth-reads.ts';
import type { SeededWorld } from './growth-world.ts';
import { runBeside } from './process.ts';
import { count, operands, publish } from './publish.ts';

/**
 * `npm run bench -- waits [events] [customers] [reads|whole]`: measures how long a request to a small world waits during
 * each operation over many records of a large one, until the data file is written. The large world has the given
 * number of events, the small one 1,000.
 */

/** Kinds of garbage collection, by Node's numbers. */
const KINDS: Readonly<Record<number, string>> = {
  1: 'minor',
  4: 'major',
  8: 'incremental',
  16: 'weak',
};

/** An operation over many records. No request to another world may wait long for it. */
interface HeavyOperation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  path(seeded: SeededWorld): string;
  readonly body?: object;
  /** Sends the response of the export. */
  readonly isImport?: true;
  readonly isRefused?: true;
  /** The sandbox of the request, if not the large world. */
  readonly sandbox?: string;
}

type Path = HeavyOperation['path'] | string;

const operation = (method: HeavyOperation['method'], name: string, path: Path, more = {}) => ({
  name,
  method,
  path: typeof path === 'string' ? () => path : path,
  ...more,
});
const get = (name: string, path: Path): HeavyOperation => operation('GET', name, path);
const post = (name: string, path: Path, body: object, more = {}): HeavyOperation =>
  operation('POST', name, path, { body, ...more });

const COPY = 'copy';

const reads: readonly HeavyOperation[] = [
  ...READS.map(({ name, path }) => get(name, path)),
  get('a fee that is not there', '/_emulator/explain/fee_00000000000000000000000000'),
  get('an event that is not there', '/_emulator/explain/none'),
  get('metrics', '/_emulator/metrics'),
];

const whole: readonly HeavyOperation[] = [
  post('ledger/verify', '/_emulator/ledger/verify', {}),
  post('save a snapshot', '/_emulator/snapshots', { name: 'kept' }),
  get('export', '/_emulator/export'),
  post('restore the snapshot', '/_emulator/reset', { to: 'snapshot', name: 'kept' }),
  post('copy into a sandbox', '/_emulator/sandboxes', { name: COPY, sandbox: 'large' }),
  operation('DELETE', 'delete the sandbox', `/_emulator/sandboxes?name=${COPY}`),
  post('import', '/_emulator/import', {}, { isImport: true }),
  post('reset to nothing', '/_emulator/reset', { to: 'empty' }),
  post('try an advance', '/_emulator/clock/advance', { by: 'P1M', dry_run: true }),
  post('advance by a month', '/_emulator/clock/advance', { by: 'P1M' }, { sandbox: 'due' }),
  post(
    'advance too far, refused',
    '/_emulator/clock/advance',
    { by: 'P30Y' },
    { sandbox: 'due', isRefused: true },
  ),
];

/** The measured operations, by the name of the part. */
const HEAVY = { reads, whole } as const;

const [events = '100000', customers = '10000', part] = operands();
const folder = await mkdtemp(join(tmpdir(), 'waits-'));
const data = join(folder, 'data');
const run = runBeside<Ready>('waits-run.ts', [events, customers, data], IMAGE_FLAGS);
const { child: server, told } = await run;
const { url, seeded } = told;
const prober = new Worker(new URL('prober.mjs', import.meta.url), {
  workerData: { url, pid: server.pid },
});
await once(prober, 'message');
const rows = [
  await measure({
    name: 'writing what was loaded',
    method: 'POST',
    path: () => '/_emulator/ledger/verify',
    sandbox: 'other',
  }),
];
const operations =
  part === undefined ? Object.values(HEAVY).flat() : HEAVY[part as keyof typeof HEAVY];
for (const each of operations) rows.push(await measure(each));
await prober.terminate();
server.kill();
rmSync(folder, { recursive: true });
publishWaits();

interface Ready {
  readonly url: string;
  readonly seeded: SeededWorld;
}

/** The reports of the prober and the server about the time since their last report. @units ms */
interface Meanwhile {
  readonly wait: number;
  readonly used: number;
  /** The longest time that the main thread worked without yielding. */
  readonly usedInTurn: number;
  readonly collector: { readonly kind: number; readonly ms: number };
  readonly heapUsed: number;
}

interface Row extends Meanwhile {
  readonly name: string;
  readonly took: number;
}

async function measure(operation: HeavyOperation): Promise<Row> {
  await meanwhile();
  const started = performance.now();
  await send(operation);
  const took = performance.now() - started;
  if (operation.method !== 'GET') await quiet();
  const row = { name: operation.name, took, ...(await meanwhile()) };
  process.stderr.write(`${lineOf(row)}\n`);
  return row;
}

async function meanwhile(): Promise<Meanwhile> {
  const [probed] = await asking(prober, () => prober.postMessage('report'));
  const [used] = await asking(server, () => server.send('report'));
  return { ...(probed as object), ...(used as object) } as Meanwhile;
}

function asking(whom: Worker | ChildProcess, ask: () => void): Promise<unknown[]> {
  const answer = once(whom, 'message');
  ask();
  return answer;
}

/** Sends a request and reads its response. Keeps the response of an export. */
async function send({ name, method, path, body, ...more }: HeavyOperation): Promise<void> {
  const headers = {
    Authorization: `Bearer key_test_${more.sandbox ?? 'large'}`,
    Accept: 'application/json, text/html',
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const at = path(seeded);
  const sent = request(url + withKey(at, 'key_test_large'), { method, headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  if (more.isImport) await pipeline(createReadStream(join(folder, 'export')), sent);
  else sent.end(body && JSON.stringify(body));
  const [response] = await answered;
  const isExport = at === '/_emulator/export';
  await pipeline(response, createWriteStream(isExport ? join(folder, 'export') : '/dev/null'));
  const { statusCode: status = 500 } = response;
  const isFine = more.isRefused ? status === 422 : status < 400 || status === 404;
  if (!isFine) throw new Error(`${name}: ${status}`);
}

/** Waits until the data file no longer changes. */
async function quiet(): Promise<void> {
  for (let [before, same] = ['', 0]; same < 3; await sleep(500)) {
    const now = readdirSync(folder)
      .filter((each) => each.startsWith('data'))
      .map((each) => [each, statSync(join(folder, each), { throwIfNoEntry: false })?.size])
      .join();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

function lineOf({ name, took, wait, used, usedInTurn, collector }: Row): string {
  const ms = [took, wait, used, usedInTurn, collector.ms].map((value) => `${count(value)} ms`);
  return `| ${name} | ${ms.join(' | ')} ${KINDS[collector.kind] ?? ''} |`;
}

function publishWaits(): void {
  publish(
    'waits',
    [
      `| with ${count(Number(events))} events | took | longest wait of another world | most work in a wait | in one turn | longest pause of the collector |`,
      '|---|---|---|---|---|---|',
      ...rows.map(lineOf),
    ],
    rows,
  );
}
