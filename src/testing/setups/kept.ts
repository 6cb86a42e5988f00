import { findFlaws } from '../../invariants/violations.ts';
import { FileStorage } from '../../store/storage/file-storage.ts';

/** The storage of a data file, without a log. */
export const openFile = (path: string): Promise<FileStorage> =>
  FileStorage.open(path, { info: () => {}, error: () => {} }, findFlaws);

/** The text of a data file that holds no world. */
export const EMPTY_DATA_FILE =
  '{"format":"billing-emulator-data","schema_version":1,"entries":[\n],"count":0}\n';
