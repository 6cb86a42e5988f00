import { ConfigurationError, readFileAs } from './options.ts';
import type { RunRecord } from './record.ts';

/** Reads the record of an earlier run. @throws ConfigurationError when the file is not a record of a run */
export function readRecord(file: string): RunRecord {
  const record = readFileAs(file, JSON.parse) as RunRecord;
  if (record?.schema === 'billing-emulator/contract-run' && record.schemaVersion === 1)
    return record;
  throw new ConfigurationError(`${file} is no record of a run`);
}
