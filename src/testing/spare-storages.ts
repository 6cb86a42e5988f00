import { readSettings } from '../config/settings.ts';
import { findFlaws } from '../invariants/violations.ts';
import { openStorage } from '../store/storage/open-storage.ts';
import type { Storage } from '../store/storage/storage.ts';

const { TEST_DATABASE } = process.env;
const COUNT = 12;
const LOG = { info: () => {}, error: () => {} };

/** Storages in schemas of their own, if a proof runs tests of memory on a database: clients are made at once, storages are not. */
const spare = TEST_DATABASE === undefined ? [] : await openSchemas(TEST_DATABASE);

/** A storage for the next test client; undefined for memory. */
export const spareStorage = (): Storage | undefined => spare.pop();

async function openSchemas(data: string): Promise<Storage[]> {
  const opened = Array.from({ length: COUNT }, async (_, place) => {
    const own = `${data}?schema=test_${process.pid}_${place}`;
    const storage = await openStorage(readSettings({ data: own }), LOG, { findFlaws });
    await storage.shared?.prepare('key_test_emulator');
    return storage;
  });
  return Promise.all(opened);
}
