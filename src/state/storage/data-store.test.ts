import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { refuseFlaw } from './data-error.ts';
import { stepsTo } from './data-file.ts';
import { DataStore } from './data-store.ts';
import { imageEntry, snapshotImage, textsOfAll } from './entries.ts';
import { readData } from './read-data.ts';

const KEY = 'key_test_kept';

it('a data file can be opened if a world was saved and closed while it was being written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  const file = join(folder, 'data.json');
  const data = await readData(file, refuseFlaw);
  const store = await DataStore.ofJournals(file, data, async () => {}, stepsTo([]));
  await store.beginJournal();
  const [image, head] = [snapshotImage('s'), { sequence: 0, requests: 0 }];
  const clock = { mode: 'real' } as const;
  const forgotten = { kind: 'forget', world: KEY, image } as const;
  const saved = imageEntry(KEY, image, { ...head, clock, tables: {} });
  await store.append(textsOfAll([saved, forgotten, { kind: 'close', sandbox: 'kept' }]));
  const lines = { value: { kind: 'journal', lines: store.journalLines } };
  await store.writeSnapshot(Readable.from([lines]));

  expect((await readData(file, refuseFlaw)).stored.worlds.size).toBe(0);
  await store.append(textsOfAll([forgotten]));
  await expect(readData(file, refuseFlaw)).rejects.toThrow('There is no world');
  await store.close();
  await rm(folder, { recursive: true });
});
