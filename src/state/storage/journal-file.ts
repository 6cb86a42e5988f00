import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { writing } from './data-error.ts';
import { headerOf } from './header.ts';
import { type LinesEnd, syncFolderOf, writeLines } from './lines.ts';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

/** A file that lines are added to. A line that was added is safely on the disk. */
export class JournalFile {
  #isTorn = false;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private reached: LinesEnd,
  ) {}

  /** Begins a journal, in the place of one of that name. @throws DataError when it cannot be written */
  static create(path: string, number: number): Promise<JournalFile> {
    return writing(path, async () => {
      const handle = await open(path, O_APPEND | O_CREAT | O_TRUNC | O_WRONLY);
      const header = [JSON.stringify(headerOf('journal', number))];
      const end = await writeLines(handle, header);
      await handle.datasync();
      await syncFolderOf(path);
      return new JournalFile(path, handle, end);
    });
  }

  /** Goes on with a journal behind its last whole line. @throws DataError when it cannot be written */
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

  /** Adds lines, all or, when that fails, none. @throws DataError when they cannot be written */
  append(texts: Iterable<string>): Promise<void> {
    return writing(this.path, async () => {
      // What a failure left behind, of which nobody knows how much is on the disk.
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
