import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { writing } from './data-error.ts';
import { headerOf } from './header.ts';
import { type LinesEnd, openLike, syncFolderOf, writeLines } from './lines.ts';
import { journalPath } from './read-data.ts';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

/** A file to which lines are appended. They are on disk once `append` resolves. */
export class JournalFile {
  #isTorn = false;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private reached: LinesEnd,
  ) {}

  /** Creates a journal of a data file, replacing one of that number. @throws DataError when it cannot be written */
  static create(dataFile: string, number: number): Promise<JournalFile> {
    const path = journalPath(dataFile, number);
    return writing(path, async () => {
      const handle = await openLike(dataFile, path, O_APPEND | O_CREAT | O_TRUNC | O_WRONLY);
      const header = [JSON.stringify(headerOf('journal', number))];
      const end = await writeLines(handle, header);
      await handle.datasync();
      await syncFolderOf(path);
      return new JournalFile(path, handle, end);
    });
  }

  /** Opens a journal and cuts it off after its last complete change. @throws DataError when it cannot be written */
  static reopen(path: string, end: LinesEnd): Promise<JournalFile> {
    return writing(path, async () => {
      const handle = await open(path, O_APPEND | O_WRONLY);
      await handle.truncate(end.length);
      await handle.datasync();
      return new JournalFile(path, handle, end);
    });
  }

  get end(): LinesEnd {
    return this.reached;
  }

  /** Appends all lines or, on failure, none. @throws DataError when they cannot be written */
  append(texts: Iterable<string>): Promise<void> {
    return writing(this.path, async () => {
      // Removes what a failed append may have left.
      if (this.#isTorn) await this.handle.truncate(this.reached.length);
      this.#isTorn = true;
      const end = await writeLines(this.handle, texts, this.reached);
      await this.handle.datasync();
      this.#isTorn = false;
      this.reached = end;
    });
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
