import { existsSync } from 'node:fs';
import { SCHEMA_VERSION } from '../conversions.ts';
import { DataError, type Flaw, type OnFlaw } from './data-error.ts';
import { stepsTo } from './data-file.ts';
import { flawsOf, judgeStored } from './judge-stored.ts';
import { lockFile } from './lock-file.ts';
import { databaseOf, readData } from './read-data.ts';
import { repairStored } from './repair-stored.ts';
import { convertStored, entriesOfStored, type Stored } from './stored.ts';

/** The contents and the flaws of a data file. */
export interface DataVerdict {
  readonly worlds: number;
  readonly records: number;
  readonly flaws: readonly Flaw[];
  /** Incomplete changes at the end of journals, which a start cuts off. */
  readonly unfinished: readonly Flaw[];
}

/**
 * Validates a data file with its journals and reports all flaws at once. Nothing is changed.
 *
 * @throws DataError where there is none, or it is in use
 */
export function checkData(given: string, currency: string): Promise<DataVerdict> {
  return whileLocked(given, async (path) => {
    const { stored, flaws, unfinished, onFinding } = await readAll(path, currency);
    await judgeStored(stored, true, onFinding);
    return { ...countOf(stored), flaws, unfinished };
  });
}

/**
 * Writes the sound parts of a data file and its journals to a new file, and reports what was left out and why.
 *
 * @throws DataError where there is none, it is in use, or the new one cannot be written or is there already
 */
export function repairData(given: string, out: string, currency: string): Promise<DataVerdict> {
  if (existsSync(out)) throw new DataError(`${out} already exists.`);
  return whileLocked(given, async (path) => {
    const { stored, flaws, unfinished, onFinding } = await readAll(path, currency);
    repairStored(stored, onFinding);
    const database = databaseOf(out, () => {});
    const steps = stepsTo(entriesOfStored(stored));
    database.data = { number: 1, schema_version: SCHEMA_VERSION, steps };
    await database.write();
    return { ...countOf(stored), flaws, unfinished };
  });
}

async function readAll(path: string, currency: string) {
  const flaws: Flaw[] = [];
  const onFlaw: OnFlaw = (flaw) => flaws.push(flaw);
  const { stored, schema_version, journals } = await readData(path, onFlaw);
  convertStored(stored, schema_version || SCHEMA_VERSION, currency);
  const unfinished = journals
    .filter(({ torn }) => torn > 0)
    .map(({ path: file, end }) => ({ file, place: `line ${end.lines + 1}`, message: TORN }));
  return { stored, flaws, unfinished, onFinding: flawsOf(path, onFlaw) };
}

const TORN = 'A change was never finished; a start cuts it off.';

async function whileLocked<T>(given: string, work: (path: string) => Promise<T>): Promise<T> {
  if (!existsSync(given)) throw new DataError(`${given} does not exist.`);
  const file = await lockFile(given);
  try {
    return await work(file.path);
  } finally {
    await file.unlock();
  }
}

function countOf({ worlds }: Stored): Pick<DataVerdict, 'worlds' | 'records'> {
  const sizes = [...worlds.values()].flatMap(({ tables }) => [...tables.values()]);
  const records = sizes.reduce((total, { size }) => total + size, 0);
  return { worlds: worlds.size, records };
}
