/** A data file cannot be used. The message names it; the file is not changed. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** With this many unwritten changes on a failing disk, requests that change something are refused. */
export const MOST_UNWRITTEN = 20_000;

/** Too many changes could not be written: no more are accepted. */
export class TooMuchUnwritten extends DataError {}

export interface Flaw {
  readonly file: string;
  /** The place in the file, such as a line or a record. */
  readonly place?: string;
  readonly message: string;
}

/** Called with each flaw. If it returns, the flawed part is left out. */
export type OnFlaw = (flaw: Flaw) => void;

/** @throws DataError always */
export function refuseFlaw({ file, place, message }: Flaw): never {
  throw new DataError(`${file}${place === undefined ? '' : `, ${place}`}: ${message}`);
}

/** @throws DataError in the place of what failed */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** @throws DataError in the place of an error of the file system */
export async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new DataError(`${path} cannot be read: ${message}`);
  }
}
