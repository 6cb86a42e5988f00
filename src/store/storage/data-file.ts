import { copyFile, type FileHandle, link, rename, rm } from 'node:fs/promises';
import type { Adapter } from 'lowdb';
import { type OnFlaw, writing } from './data-error.ts';
import type { DataSnapshot, DataStep } from './data-snapshot.ts';
import { type Entry, textsOf } from './entries.ts';
import { isFormerLayout, readFormer } from './former-layout.ts';
import { type Header, headerOf, judgeHeader } from './header.ts';
import { openLike, readLines, syncFolderOf, writeLines } from './lines.ts';

export async function* stepsTo(entries: Iterable<Entry>): AsyncGenerator<DataStep> {
  for (const value of entries) yield { value };
}

/** The last line of a snapshot. */
interface Footer {
  readonly kind: 'end';
  /** How many lines come before it. */
  readonly lines: number;
}

/** The file of a snapshot. It is replaced atomically, and the former one is kept under another name. */
export class DataFile implements Adapter<DataSnapshot> {
  constructor(
    readonly path: string,
    private readonly flaw: OnFlaw,
    /** Called before the file is replaced, which it prevents by an error. */
    private readonly confirm = async (): Promise<void> => {},
  ) {}

  /** The contents; null if there are none yet, or if a flaw of the whole file was reported. */
  async read(): Promise<DataSnapshot | null> {
    const { path } = this;
    if (await isFormerLayout(path)) return readFormer(path, this.flaw);
    const steps = this.#read();
    const first = await steps.next();
    if (first.done) return null;
    const message = judgeHeader(first.value.value, 'data');
    if (message !== undefined) {
      this.flaw({ file: path, place: 'line 1', message });
      return null;
    }
    const { number, schema_version } = first.value.value as Header;
    return { number, schema_version, steps };
  }

  /** Puts a new snapshot in place once it is on disk. @throws DataError when it cannot be written */
  async write({ number, steps }: DataSnapshot): Promise<void> {
    const { path } = this;
    const temporary = `${path}.new`;
    await writing(path, async () => {
      try {
        await writeSnapshot(await openLike(path, temporary, 'w'), number, steps);
        await this.confirm();
        await keepFormer(path);
        await rename(temporary, path);
        await syncFolderOf(path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
    });
  }

  async *#read(): AsyncGenerator<DataStep> {
    const { path: file, flaw } = this;
    let footer: Footer | undefined;
    let lines = 0;
    for await (const line of readLines(file)) {
      const place = `line ${line.end.lines}`;
      if (footer) flaw({ file, place, message: 'It comes after the end.' });
      else if (line.fault !== undefined) flaw({ file, place, message: line.fault });
      else if ((line.value as Footer | null)?.kind === 'end') footer = line.value as Footer;
      else yield { value: line.value, place };
      if (!footer) lines = line.end.lines;
    }
    if (!footer) flaw({ file, message: lines === 0 ? 'It is empty.' : 'Its end is missing.' });
    else if (footer.lines !== lines)
      flaw({ file, message: `Expected ${footer.lines} lines before its end, got ${lines}.` });
  }
}

async function writeSnapshot(
  handle: FileHandle,
  number: number,
  steps: AsyncIterable<DataStep>,
): Promise<void> {
  try {
    let end = await writeLines(handle, [JSON.stringify(headerOf('data', number))]);
    for await (const { value } of steps)
      end = await writeLines(handle, textsOf(value as Entry), end);
    const footer: Footer = { kind: 'end', lines: end.lines };
    await writeLines(handle, [JSON.stringify(footer)], end);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Keeps the present file under another name; at every moment there is a file. */
async function keepFormer(path: string): Promise<void> {
  const former = `${path}.previous`;
  await rm(former, { force: true });
  try {
    await link(path, former);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    await copyFile(path, former);
  }
}
