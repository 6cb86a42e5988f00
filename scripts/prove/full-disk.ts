import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countEvents, postBatch, type Served, serve } from '../../src/testing/durability/serve.ts';

/**
 * `npm run prove -- full-disk`: runs an emulator on a disk of 1 MB in the mode `on-commit` until the disk is full and
 * it rejects writes. Then makes room and starts it again. All acknowledged writes and those kept in memory must be
 * there, and no rejected one.
 */
const BATCH = 100;
const MOST_BATCHES = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const mount = (options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;

const data = join(folder, 'data.json');
const counts = { acknowledged: 0, unwritten: 0, refused: 0 };

/** Submits usage until a request is rejected. */
async function fill({ url }: Served): Promise<void> {
  for (let count = 0; count < MOST_BATCHES && counts.refused === 0; count += 1) {
    const answer = await postBatch(url, { writer: 1, count, size: BATCH });
    const text = await answer.text();
    if (answer.status === 204) counts.acknowledged += BATCH;
    else if (answer.status === 503 && text.includes('made in memory')) counts.unwritten += BATCH;
    else if (answer.status === 503 && text.includes('nothing was changed')) counts.refused += BATCH;
    else throw new Error(`${answer.status} ${text}`);
  }
}

async function prove(): Promise<boolean> {
  const first = await serve(data);
  const given = await countEvents(first.url);
  await fill(first);
  if (!mount('remount,size=256m')) throw new Error('The disk cannot be made larger.');
  const later = await postBatch(first.url, { writer: 2, count: 0, size: BATCH });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await serve(data);
  const kept = (await countEvents(second.url)) - given;
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
  const wanted = counts.acknowledged + counts.unwritten + BATCH;
  process.stdout.write(
    `Of events ${JSON.stringify(counts)}, ${later.status} for ${BATCH} once there was room; after a kill ${kept} of ${wanted} kept\n`,
  );
  return later.status === 204 && kept === wanted && Object.values(counts).every((each) => each > 0);
}

if (mount('size=1m'))
  try {
    if (!(await prove())) process.exitCode = 1;
  } finally {
    spawnSync('umount', [folder]);
  }
else
  process.stdout.write('Skipped: a small disk can be mounted by root alone, and only on Linux.\n');
rmdirSync(folder);
