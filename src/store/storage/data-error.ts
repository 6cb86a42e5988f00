/** The place that `data` names cannot be used. The message names it; what it holds is not changed. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** A change may not be kept, or a world cannot be reached, for the moment: it is worth trying again. */
export class NotKept extends DataError {}

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
