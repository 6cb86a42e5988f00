import { copyFile } from 'node:fs/promises';
import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';
import { SCHEMA_VERSION } from '../conversions.ts';
import { DataError, refuseFlaw } from './data-error.ts';
import { stepsTo } from './data-file.ts';
import { DataStore } from './data-store.ts';
import { flawsOf, judgeStored } from './judge-stored.ts';
import { lockFile } from './lock-file.ts';
import { Persistence } from './persistence.ts';
import { type ReadData, readData } from './read-data.ts';
import { convertStored, entriesOfStored } from './stored.ts';

type DataSettings = Pick<Settings, 'data' | 'data_mode' | 'reporting_currency'>;
type DataLog = Pick<Logger, 'error' | 'info'>;

/**
 * Opens the data file that the settings name; undefined where they name none.
 *
 * @param onLost called when another process has taken the file over, as this one was suspended
 * @throws DataError when the file is in use, damaged or of a newer release; it is left as it is
 */
export async function openPersistence(
  { data: given, data_mode: mode, reporting_currency: currency }: DataSettings,
  log: DataLog,
  onLost: (error: DataError) => void = ({ message }) => log.error(message),
): Promise<Persistence | undefined> {
  if (given === '') return undefined;
  const file = await lockFile(given, onLost);
  const { path } = file;
  try {
    const data = await readData(path, refuseFlaw);
    await adoptRelease(path, data, currency, log);
    await judgeStored(data.stored, false, flawsOf(path, refuseFlaw));
    tellTorn(data, log);
    const store =
      mode === 'on-exit'
        ? DataStore.ofSnapshots(file, data)
        : await DataStore.ofJournals(file, data, stepsTo(entriesOfStored(data.stored)));
    return new Persistence(data.stored, store, mode, log);
  } catch (error) {
    await file.unlock();
    throw error;
  }
}

/** Runs work with a data file, which is released if the work fails. */
export async function holding<T>(
  data: Persistence | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await data?.release();
    throw error;
  }
}

/** Converts the data of an earlier release; the original file is kept under another name, with its journals. */
async function adoptRelease(
  file: string,
  { schema_version, stored, journals }: ReadData,
  reportingCurrency: string,
  log: DataLog,
): Promise<void> {
  if (schema_version === undefined || schema_version === SCHEMA_VERSION) return;
  const original = `${file}.schema-${schema_version}`;
  try {
    await copyFile(file, original);
    for (const { path } of journals) await copyFile(path, original + path.slice(file.length));
  } catch (error) {
    const { message } = error as Error;
    throw new DataError(
      `${file} cannot be converted, because the original cannot be kept: ${message}`,
    );
  }
  convertStored(stored, schema_version, reportingCurrency);
  log.info(`${file} was written by an earlier release and is converted; ${original} keeps it.`);
}

function tellTorn({ journals }: ReadData, log: DataLog): void {
  for (const { path, torn, end } of journals)
    if (torn > 0)
      log.info(
        `${path} ends with ${torn} bytes of a change that was never finished; they are cut off after line ${end.lines}.`,
      );
}
