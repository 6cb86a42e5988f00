import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../embedded.ts';
import { refuseFlaw } from '../../store/storage/data-error.ts';
import { journalPath, readData } from '../../store/storage/read-data.ts';

const KEY = 'key_test_emulator';
/** The bytes at the end of a journal that are cut, and the maximum of vendors in them. */
const SPAN = 4_096;
const VENDORS = 20;

/** A cut journal that did not open with exactly its complete changes. */
interface WrongCut {
  readonly length: number;
  readonly expected: number;
  readonly found: number | string;
}

/**
 * Cuts a journal at every `step`th byte of its last 4 KB, as a loss of power may do, and opens the rest.
 * Returns the number of cuts, and those after which the world had other changes than the complete ones.
 */
export async function cutJournal(
  step: number,
): Promise<{ readonly cuts: number; readonly wrong: readonly WrongCut[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'power-cut-'));
  const file = join(folder, 'data.json');
  const journal = journalPath(file, 1);
  try {
    await createVendors(file);
    const bytes = await readFile(journal);
    const wrong: WrongCut[] = [];
    let cuts = 0;
    for (let length = bytes.length; length > bytes.length - SPAN; length -= step) {
      cuts += 1;
      await truncate(journal, length);
      const whole = bytes.toString('latin1', 0, length).split('\n').slice(0, -1);
      const expected = whole.filter((line) => line.includes('["vendors",')).length;
      const found = await countVendors(file);
      if (found !== expected) wrong.push({ length, expected, found });
    }
    return { cuts, wrong };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Creates each vendor in its own commit, which is one line of the journal. */
async function createVendors(data: string): Promise<void> {
  const settings = { data, data_mode: 'on-commit', fixture: '', log_level: 'silent' } as const;
  const { client, close } = await startEmulator({ settings });
  for (let count = 0; count < VENDORS; count += 1)
    await client.call('createVendor', { body: { name: `Vendor ${count}` } });
  await close();
}

async function countVendors(file: string): Promise<number | string> {
  try {
    const { stored } = await readData(file, refuseFlaw);
    return stored.worlds.get(KEY)?.tables.get('vendors')?.size ?? 0;
  } catch (error) {
    return (error as Error).message;
  }
}
