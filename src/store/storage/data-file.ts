import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { createSharer } from '../intern-pool.ts';
import type { Row } from '../row.ts';
import { SCHEMA_VERSION } from '../world-file.ts';
import { DataError, writing } from './data-error.ts';
import { type ImageLabel, isLabel, type StoredImage } from './stored-image.ts';

/** The images in a data file: as they were read, or as they are made while they are written. */
export type DataFileImages = readonly StoredImage[] | Generator<StoredImage>;

const FORMAT = 'billing-emulator-data';
/** The first line: the last one ends the list of entries, and counts them. */
const HEAD = `{"format":"${FORMAT}","schema_version":${SCHEMA_VERSION},"entries":[`;
const endOf = (count: number): string => `],"count":${count}}`;

const LINE_FEED = 10;
/**
 * Bytes per read, and characters per write. A write stays below the 128 KB from which V8 gives a text pages of its own: a
 * later collection returns them to the system, and every request waits meanwhile.
 */
const PIECE = 65_536;

/**
 * A JSON file with one entry a line, for lowdb: for each image what it is, then its rows. It is read and written piece by
 * piece, so that it may be longer than a text can be, and replaced atomically.
 */
export class DataFile implements Adapter<DataFileImages> {
  constructor(
    readonly path: string,
    /** Called before the file is replaced, which it prevents by an error. */
    private readonly confirm = async (): Promise<void> => {},
  ) {}

  /** The images; null if there is no file yet. @throws DataError naming the first damage */
  async read(): Promise<readonly StoredImage[] | null> {
    const present = await stat(this.path).catch(() => undefined);
    return present ? await this.#readImages() : null;
  }

  /** Replaces the file once its contents are on disk. @throws DataError when they cannot be written */
  async write(images: DataFileImages): Promise<void> {
    const { path } = this;
    const temporary = `${path}.new`;
    await writing(path, async () => {
      try {
        await writeTo(await openLike(path, temporary), images);
        await this.confirm();
        await rename(temporary, path);
        await syncFolderOf(path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
    });
  }

  async #readImages(): Promise<StoredImage[]> {
    const share = createSharer();
    const images: StoredImage[] = [];
    const known = new Set<string>();
    let tables: Record<string, Row[]> | undefined;
    for await (const { value, place } of this.#entries()) {
      if (tables && isRowOfTable(value)) {
        const [table, row] = value;
        tables[table] ??= [];
        tables[table].push(share(row));
        continue;
      }
      if (!isLabel(value))
        this.#refuse(
          `Expected a world or a row of one: ${JSON.stringify(value).slice(0, 80)}`,
          place,
        );
      const { kind, key } = value;
      if (known.has(nameOf(value))) this.#refuse(`There is a second ${kind} of ${key}.`, place);
      if (kind !== 'world' && !known.has(nameOf({ kind: 'world', key })))
        this.#refuse(`There is no world ${key} before it.`, place);
      known.add(nameOf(value));
      // Without a prototype, a table may have any name: one that is unknown is found by the validation.
      tables = Object.create(null) as Record<string, Row[]>;
      images.push({ ...value, tables });
    }
    return images;
  }

  async *#entries(): AsyncGenerator<{ readonly value: unknown; readonly place: string }> {
    let line = 0;
    let isEnded = false;
    for await (const bytes of splitLines(this.path)) {
      line += 1;
      const place = `line ${line}`;
      if (!isUtf8(bytes)) this.#refuse('It is not UTF-8.', place);
      const text = bytes.toString();
      if (isEnded) this.#refuse('It comes after the end.', place);
      if (line === 1) this.#validateHead(text);
      else if (text.startsWith(']')) {
        const end = endOf(line - 2);
        if (text !== end) this.#refuse(`Expected ${end}, got ${text}`, place);
        isEnded = true;
      } else yield { value: this.#parse(text.replace(/,$/, ''), place), place };
    }
    if (!isEnded) this.#refuse('Its end is missing.');
  }

  #validateHead(text: string): void {
    if (text === HEAD) return;
    const [, format, version] = /^{"format":"([^"]*)","schema_version":([^,}]*)/.exec(text) ?? [];
    if (format !== FORMAT || version === String(SCHEMA_VERSION))
      this.#refuse('It is not a data file of this emulator.', 'line 1');
    this.#refuse(
      `It was written by another release (schema ${version}, known is ${SCHEMA_VERSION}).`,
      'line 1',
    );
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

async function writeTo(handle: FileHandle, images: DataFileImages): Promise<void> {
  try {
    let piece = HEAD;
    let count = 0;
    for (const image of images)
      for (const entry of entriesOf(image)) {
        piece += `${count === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`;
        count += 1;
        if (piece.length < PIECE) continue;
        await handle.appendFile(piece);
        piece = '';
      }
    await handle.appendFile(`${piece}\n${endOf(count)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * What an image is, then its rows: those of all tables in the order of creation, as far as each table has it. What an event
 * and its transactions have in common is then close together, and is shared in memory when it is read.
 */
function* entriesOf({ tables, ...label }: StoredImage): Generator<unknown> {
  yield label;
  let open = Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => ({ name, rows, next: 0 }));
  const seqOf = ({ rows, next }: (typeof open)[number]) => rows[next]?.seq ?? 0;
  while (open.length > 0) {
    const first = open.reduce((least, each) => (seqOf(each) < seqOf(least) ? each : least));
    yield [first.name, first.rows[first.next]];
    first.next += 1;
    if (first.next === first.rows.length) open = open.filter((each) => each !== first);
  }
}

/** The name of an image, which is unique. */
function nameOf({ kind, key, ...about }: ImageLabel): string {
  const { name = '' } = about as { name?: string };
  return [kind, key, name].join('\n');
}

const isRowOfTable = (value: unknown): value is readonly [table: string, row: Row] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1]?.id === 'string';

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
