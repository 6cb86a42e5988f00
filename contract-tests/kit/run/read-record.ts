import { readFileSync } from 'node:fs';
import { ConfigurationError } from './options.ts';
import type { RunRecord } from './record.ts';

/**
 * Reads the record of an earlier run.
 *
 * @throws ConfigurationError when the file is none
 */
export function readRecord(file: string): RunRecord {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
    if (record.schema === 'billing-emulator/contract-run' && record.schemaVersion === 1)
      return record;
  } catch (error) {
    throw new ConfigurationError(`${file}: ${(error as Error).message}`);
  }
  throw new ConfigurationError(`${file} is no record of a run`);
}
