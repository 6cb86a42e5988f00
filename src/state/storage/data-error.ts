/** A data file that cannot be used. The message names it; the file is left as it is. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** From how many changes on that a failing disk does not take nothing more is changed by request. */
export const MOST_UNWRITTEN = 20_000;

/** Why nothing may change any more: too much of what changed before could not be written. */
export class TooMuchUnwritten extends DataError {}

/** What is wrong with a file, or with what it holds. */
export interface Flaw {
  readonly file: string;
  /** Where in it, such as a line or a record. */
  readonly place?: string;
  readonly message: string;
}

/** Hears of flaws. Where it returns, what is flawed is left out. */
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
