import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { DataError, writing } from './data-error.ts';

/** An entry of the file, which is one line of it, and where it was read. */
export interface FileEntry {
  readonly value: unknown;
  readonly place?: string;
}

/** The contents of a file: entries, as many as there are, one after the other. */
export interface FileContents {
  readonly schema_version: number;
  readonly entries: AsyncIterable<FileEntry> | Iterable<FileEntry>;
}

const FORMAT = 'billing-emulator-data';
const LINE_FEED = 10;
/**
 * Bytes per read, and characters per write. A write stays below the 128 KB from which V8 gives a text pages of its own: a
 * later collection returns them to the system, and every request waits meanwhile.
 */
const PIECE = 65_536;

/**
 * A JSON file with one entry a line, for lowdb. It is read and written piece by piece, so that it may be longer than a
 * text can be, and replaced atomically.
 */
export class JsonFile implements Adapter<FileContents> {
  constructor(
    readonly path: string,
    /** The version of entries that this release writes and reads. */
    private readonly version: number,
    /** Called before the file is replaced, which it prevents by an error. */
    private readonly confirm = async (): Promise<void> => {},
  ) {}

  /** The contents; null if there is no file yet. @throws DataError naming the first damage, now or as entries are read */
  async read(): Promise<FileContents | null> {
    const present = await stat(this.path).catch(() => undefined);
    if (!present) return null;
    return { schema_version: this.version, entries: this.#entries() };
  }

  /** Replaces the file once the contents are on disk. @throws DataError when they cannot be written */
  async write({ entries }: FileContents): Promise<void> {
    const { path } = this;
    const temporary = `${path}.new`;
    await writing(path, async () => {
      try {
        await this.#writeTo(await openLike(path, temporary), entries);
        await this.confirm();
        await rename(temporary, path);
        await syncFolderOf(path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
    });
  }

  async #writeTo(handle: FileHandle, entries: FileContents['entries']): Promise<void> {
    try {
      let piece = JSON.stringify({ format: FORMAT, schema_version: this.version }).slice(0, -1);
      piece += ',"entries":[';
      let count = 0;
      for await (const { value } of entries) {
        piece += `${count === 0 ? '\n' : ',\n'}${JSON.stringify(value)}`;
        count += 1;
        if (piece.length < PIECE) continue;
        await handle.appendFile(piece);
        piece = '';
      }
      await handle.appendFile(`${piece}\n],"count":${count}}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async *#entries(): AsyncGenerator<FileEntry> {
    let line = 0;
    let count: number | undefined;
    let isLast = false;
    for await (const bytes of splitLines(this.path)) {
      line += 1;
      const place = `line ${line}`;
      const text = this.#textOf(bytes, place);
      if (count !== undefined) this.#refuse('It comes after the end.', place);
      if (line === 1) this.#validateHead(text);
      else if (text.startsWith(']')) count = this.#countIn(text, place);
      else if (isLast) this.#refuse('The line before it does not end with a comma.', place);
      else {
        isLast = !text.endsWith(',');
        yield { value: this.#parse(isLast ? text : text.slice(0, -1), place), place };
      }
    }
    if (count === undefined) this.#refuse(line === 0 ? 'It is empty.' : 'Its end is missing.');
    const found = line - 2;
    if (count !== found) this.#refuse(`Expected ${count} entries, got ${found}.`);
    if (found > 0 && !isLast) this.#refuse('Its last entry is missing.');
  }

  #validateHead(text: string): void {
    const place = 'line 1';
    const opened = text.endsWith('[') ? `${text}]}` : text;
    const { format, schema_version } = (this.#parse(opened, place) ?? {}) as Record<
      string,
      unknown
    >;
    if (format !== FORMAT) this.#refuse('It is not a data file of this emulator.', place);
    if (!Number.isSafeInteger(schema_version) || (schema_version as number) < 1)
      this.#refuse(`Its schema ${JSON.stringify(schema_version)} is not known.`, place);
    if (schema_version !== this.version)
      this.#refuse(
        `It was written by another release (schema ${schema_version}, known is ${this.version}).`,
        place,
      );
    if (opened === text) this.#refuse('Its entries are missing.', place);
  }

  #countIn(text: string, place: string): number {
    const { count } = (this.#parse(`{"entries":[${text}`, place) ?? {}) as { count?: unknown };
    if (Number.isSafeInteger(count)) return count as number;
    return this.#refuse(`Expected the number of its entries, got ${JSON.stringify(count)}.`, place);
  }

  #textOf(bytes: Buffer, place: string): string {
    if (!isUtf8(bytes)) this.#refuse('It is not UTF-8.', place);
    return bytes.toString();
  }

  #parse(text: string, place: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      return this.#refuse(`It is not JSON: ${(error as Error).message}`, place);
    }
  }

  #refuse(message: string, place?: string): never {
    throw new DataError([this.path, place].filter(Boolean).join(', ').concat(`: ${message}`));
  }
}

/**
 * Opens a new file with the permissions of the present one. The first one is its owner's alone, as it has signing secrets.
 */
async function openLike(present: string, path: string): Promise<FileHandle> {
  const mode = await stat(present).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  const handle = await open(path, 'w', mode);
  // The mask of the process may have taken permissions away; some file systems have none.
  await handle.chmod(mode).catch(() => {});
  return handle;
}

/** Syncs the folder of a file, so that its new name survives a loss of power. */
async function syncFolderOf(path: string): Promise<void> {
  const handle = await open(dirname(path), 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* splitLines(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  const handle = await open(path);
  for await (const chunk of handle.createReadStream({ highWaterMark: PIECE })) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      const last = bytes.subarray(from, at);
      yield parts.length > 0 ? Buffer.concat([...parts, last]) : last;
      parts = [];
      from = at + 1;
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
