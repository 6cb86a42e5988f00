import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ClientReply, type ClientRequest, createClient } from '../../client/index.ts';

const BINARY = fileURLToPath(new URL('../../../bin/billing-emulator.js', import.meta.url));

/** With what the image and `npm start` start Node. */
export const IMAGE_FLAGS = ['--v8-pool-size=2'];

export const headersFor = (key: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
});

export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
}

interface ServeOptions {
  /** Flags of Node. */
  readonly node: readonly string[];
  readonly flags: readonly string[];
  /** Where the emulator says that it is ready. */
  readonly ready: string;
}

/** Runs an emulator in a process of its own, with a data file or a database. */
export async function serve(
  data: string,
  { node = [], flags = [], ready = `${data}.ready` }: Partial<ServeOptions> = {},
): Promise<Served> {
  rmSync(ready, { force: true });
  const preset = ['--port', '0', '--ready-file', ready, '--data', data];
  const child = spawn(process.execPath, [...node, BINARY, ...preset, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!isWhole(ready)) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    await pause(20);
  }
  return { child, url: (JSON.parse(readFileSync(ready, 'utf8')) as { url: string }).url };
}

const isWhole = (file: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');

/** A batch of usage events: its writer, and the number of the writer's earlier batches. */
export interface Batch {
  readonly writer: number;
  readonly count: number;
  readonly size: number;
}

/** Prefix of the event ids of a batch; four digits follow. */
export const batchId = ({ writer, count }: Batch): string =>
  `${hex(writer, 8)}-${hex(count >> 16, 4)}-4000-8000-${hex(count & 0xffff, 8)}`;

/** Submits usage of the customer of the default fixture. */
export function postBatch(
  where: { readonly url: string; readonly key: string },
  batch: Batch,
  more: Pick<ClientRequest<'submitEvents'>, 'headers' | 'signal'> = {},
): Promise<ClientReply> {
  const occurred_at = new Date(performance.timeOrigin + performance.now()).toISOString();
  const events = Array.from({ length: batch.size }, (_, place) => ({
    id: `${batchId(batch)}${hex(place, 4)}`,
    event_type: 'llm.completion',
    occurred_at,
    data: { model: 'large', tokens: 1_000 },
  }));
  const body = { customer_external_id: 'acme', events };
  return createClient(where).send('submitEvents', { body, ...more });
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
