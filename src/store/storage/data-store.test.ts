import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { refuseFlaw } from './data-error.ts';
import { stepsTo } from './data-file.ts';
import { DataStore } from './data-store.ts';
import { type Entry, imageEntry, snapshotImage, textsOfAll } from './entries.ts';
import { lockFile } from './lock-file.ts';
import { readData } from './read-data.ts';

const KEY = 'key_test_kept';

const HEAD = { sequence: 0, requests: 0, clock: { mode: 'real' } } as const;

let folder: string;
let file: string;
let store: DataStore;
beforeEach(async () => {
  folder = newFolder();
  file = join(folder, 'data.json');
  const data = await readData(file, refuseFlaw);
  store = await DataStore.ofJournals(await lockFile(file), data, stepsTo([]));
});
afterEach(async () => {
  await store.close();
});

const imageOf = (name: string) => imageEntry(KEY, name, { ...HEAD, tables: {} });
const forget = (image: string) => ({ kind: 'forget', world: KEY, image }) as const;

/** Writes a snapshot that is later than some changes of the journal that continues it. */
async function writeLate(changes: readonly Entry[], late: readonly Entry[]): Promise<void> {
  await store.beginJournal();
  await store.append(textsOfAll(changes));
  const lines = { kind: 'journal', lines: store.journalLines };
  await store.writeSnapshot(Readable.from([...late, lines].map((value) => ({ value }))));
}

it('a data file can be opened if a world was saved and closed while it was being written', async () => {
  const saved = snapshotImage('s');
  await writeLate([imageOf(saved), forget(saved), { kind: 'close', sandbox: 'kept' }], []);

  expect((await readData(file, refuseFlaw)).stored.worlds.size).toBe(0);
  await store.append(textsOfAll([forget(saved)]));
  await expect(readData(file, refuseFlaw)).rejects.toThrow('There is no world');
});

it.each([
  [0o600, 0o600],
  // A file that only its owner may read, or nobody may write: the next start writes its journal.
  [0o400, 0o600],
  [0o444, 0o644],
])('a new snapshot and its journal after one of mode %o have mode %o', async (mode, expected) => {
  await chmod(file, mode);
  await writeLate([], []);

  const modes = [file, `${file}.journal-2`].map(async (each) => (await stat(each)).mode & 0o777);
  expect(await Promise.all(modes)).toEqual([expected, expected]);
});
