import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** The end of a file of lines, from which the next line continues. */
export interface LinesEnd {
  readonly lines: number;
  /** @units bytes */
  readonly length: number;
  /** The checksum of the last line, on which that of the next one is based: a missing line is always noticed. */
  readonly checksum: number;
}

export const NO_LINES: LinesEnd = { lines: 0, length: 0, checksum: 0 };

const DIGITS = 8;
const LINE_FEED = 10;
/**
 * Bytes per read, and characters per write. A write has at most one line more, and stays below the 128 KB from which V8
 * gives a text pages of its own: a later collection returns them to the system, and every request waits meanwhile.
 */
const PIECE = 65_536;
/** Bytes after which the file is synced, so that no other sync has to wait for much. */
const MOST_UNSYNCED = 16_777_216;

/** Appends texts as lines; returns the new end of the file. */
export async function writeLines(
  handle: FileHandle,
  texts: Iterable<string>,
  start: LinesEnd = NO_LINES,
): Promise<LinesEnd> {
  let { lines, length, checksum } = start;
  let piece = '';
  let unsynced = 0;
  const write = async () => {
    const bytes = Buffer.from(piece);
    await handle.appendFile(bytes);
    length += bytes.length;
    unsynced += bytes.length;
    piece = '';
    if (unsynced < MOST_UNSYNCED) return;
    await handle.datasync();
    unsynced = 0;
  };
  for (const text of texts) {
    checksum = crc32(text, checksum);
    lines += 1;
    piece += `${checksum.toString(16).padStart(DIGITS, '0')} ${text}\n`;
    if (piece.length >= PIECE) await write();
  }
  if (piece !== '') await write();
  return { lines, length, checksum };
}

/**
 * Opens a file with the permissions of the data file that is there, whose owner may have made it private. The owner can
 * always write it, as the next start goes on with a journal.
 */
export async function openLike(
  dataFile: string,
  path: string,
  flags: string | number,
): Promise<FileHandle> {
  const present = await stat(dataFile).catch(() => undefined);
  const mode = present && (present.mode & 0o777) | 0o600;
  const handle = await open(path, flags, mode);
  // Some file systems have no permissions.
  if (mode !== undefined) await handle.chmod(mode).catch(() => {});
  return handle;
}

/** Syncs the folder of a file, so that new names survive a loss of power. */
export async function syncFolderOf(path: string): Promise<void> {
  const handle = await open(dirname(path), 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A line of a file, or what is wrong with it. */
export type ReadLine =
  | { readonly end: LinesEnd; readonly value: unknown; readonly fault?: undefined }
  | { readonly end: LinesEnd; readonly fault: string; readonly isTorn: boolean };

/** The lines of a file, each with its value or its fault. */
export async function* readLines(path: string): AsyncGenerator<ReadLine> {
  let end = NO_LINES;
  for await (const { bytes, isWhole } of splitLines(path)) {
    const given = Number.parseInt(bytes.toString('latin1', 0, DIGITS), 16);
    const reckoned = crc32(bytes.subarray(DIGITS + 1), end.checksum);
    const length = end.length + bytes.length + (isWhole ? 1 : 0);
    end = { lines: end.lines + 1, length, checksum: Number.isNaN(given) ? reckoned : given };
    if (!isWhole) yield { end, fault: 'It ends within a line.', isTorn: true };
    else if (given !== reckoned || !FRAME.test(bytes.toString('latin1', 0, DIGITS + 1)))
      yield { end, fault: 'Its checksum does not match.', isTorn: false };
    else yield parseLine(bytes, end);
  }
}

const FRAME = /^[0-9a-f]{8} $/;

function parseLine(bytes: Buffer, end: LinesEnd): ReadLine {
  try {
    return { end, value: JSON.parse(bytes.toString('utf8', DIGITS + 1)) };
  } catch (error) {
    return { end, fault: `It is not JSON: ${(error as Error).message}`, isTorn: false };
  }
}

async function* splitLines(path: string): AsyncGenerator<{ bytes: Buffer; isWhole: boolean }> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE })) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      const last = bytes.subarray(from, at);
      yield { bytes: parts.length > 0 ? Buffer.concat([...parts, last]) : last, isWhole: true };
      parts = [];
      from = at + 1;
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
  }
  if (parts.length > 0) yield { bytes: Buffer.concat(parts), isWhole: false };
}
