import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Low } from 'lowdb';
import { type OnFlaw, reading } from './data-error.ts';
import { DataFile } from './data-file.ts';
import type { DataSnapshot } from './data-snapshot.ts';
import type { Entry, RowsEntry } from './entries.ts';
import { type Header, judgeHeader } from './header.ts';
import { type LinesEnd, NO_LINES, readLines } from './lines.ts';
import { applyEntry, emptyStored, type Stored } from './stored.ts';

/** The path of a journal, beside its data file. */
export const journalPath = (file: string, number: number): string => `${file}.journal-${number}`;

interface FoundJournal {
  readonly number: number;
  readonly path: string;
  /** The end of its last complete change. */
  readonly end: LinesEnd;
  /** Size of an incomplete change after that. @units bytes */
  readonly torn: number;
}

export interface ReadData {
  readonly stored: Stored;
  /** The version of its rows; undefined if there is no file. */
  readonly schema_version: number | undefined;
  /** The number of its snapshot; 0 if there is none that journals could continue. */
  readonly number: number;
  readonly journals: readonly FoundJournal[];
}

const NO_DATA: DataSnapshot = { number: 0, schema_version: 0, steps: nothing() };
async function* nothing(): AsyncGenerator<never> {}

/** The lowdb database of a data file. Its data is one snapshot, which is read and written as a whole. */
export const databaseOf = (
  path: string,
  flaw: OnFlaw,
  confirm?: () => Promise<void>,
): Low<DataSnapshot> => new Low<DataSnapshot>(new DataFile(path, flaw, confirm), NO_DATA);

/** Reads a data file and its journals. Nothing is changed. @throws DataError where one of them cannot be read */
export const readData = (path: string, flaw: OnFlaw): Promise<ReadData> =>
  reading(path, () => readFiles(path, flaw));

async function readFiles(path: string, flaw: OnFlaw): Promise<ReadData> {
  const stored = emptyStored();
  const numbers = journalNumbers(path);
  if (!existsSync(path)) {
    const [first] = numbers;
    if (first !== undefined)
      flaw({ file: path, message: `It is missing, but ${journalPath(path, first)} exists.` });
    return { stored, schema_version: undefined, number: 0, journals: [] };
  }
  const database = databaseOf(path, flaw);
  await database.read();
  const { number, schema_version, steps } = database.data;
  if (schema_version === 0) return { stored, schema_version, number, journals: [] };
  let needed = 0;
  for await (const { value, place } of steps) {
    const entry = value as Entry | { readonly kind: 'journal'; readonly lines: number };
    if (entry?.kind === 'journal') needed = entry.lines;
    else
      applyEntry(stored, entry, (message) =>
        flaw({ file: path, ...(place && { place }), message }),
      );
  }
  const following = numbers.filter((each) => each >= number);
  const journals: FoundJournal[] = [];
  for (const [index, each] of following.entries()) {
    const file = journalPath(path, each);
    const expected = number + index;
    if (each !== expected) flaw({ file: journalPath(path, expected), message: 'It is missing.' });
    const isLast = index === following.length - 1;
    const journal = { file, number: each, isLast, schema_version, needed: index ? 0 : needed };
    journals.push(await readJournal(journal, stored, flaw));
  }
  const lines = journals[0]?.end.lines ?? 0;
  if (lines < needed)
    flaw({
      file: journalPath(path, number),
      message: `Expected at least ${needed} lines, got ${lines}.`,
    });
  return { stored, schema_version, number, journals };
}

/** The numbers of the journals beside a data file, in ascending order. */
export function journalNumbers(path: string): number[] {
  const start = `${basename(path)}.journal-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && /^[1-9]\d*$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((left, right) => left - right);
}

interface JournalToRead {
  readonly file: string;
  readonly number: number;
  readonly isLast: boolean;
  readonly schema_version: number;
  /** How many lines were made while the snapshot was written that it continues. */
  readonly needed: number;
}

async function readJournal(
  { file, number, isLast, schema_version, needed }: JournalToRead,
  stored: Stored,
  flaw: OnFlaw,
): Promise<FoundJournal> {
  let end = NO_LINES;
  let begun: (readonly [Entry, string])[] = [];
  for await (const line of readLines(file)) {
    const place = `line ${line.end.lines}`;
    if (line.fault !== undefined) {
      if (line.isTorn && isLast) break;
      flaw({ file, place, message: line.fault });
      continue;
    }
    if (line.end.lines === 1) {
      const message = misfitOf(line.value, number, schema_version);
      if (message !== undefined) flaw({ file, place, message });
    } else {
      begun.push([line.value as Entry, place]);
      if ((line.value as RowsEntry | null)?.more) continue;
      // The snapshot lacks the worlds that were closed while it was written.
      const mayBeOfClosed = line.end.lines <= needed;
      for (const [entry, at] of begun)
        applyEntry(stored, entry, (message, isOfNoWorld) => {
          if (!(isOfNoWorld && mayBeOfClosed)) flaw({ file, place: at, message });
        });
      begun = [];
    }
    end = line.end;
  }
  const torn = statSync(file).size - end.length;
  if (torn > 0 && !isLast)
    flaw({ file, message: 'It ends within a change, and another follows it.' });
  return { number, path: file, end, torn };
}

function misfitOf(value: unknown, number: number, schema: number): string | undefined {
  const misfit = judgeHeader(value, 'journal');
  if (misfit !== undefined) return misfit;
  const header = value as Header;
  if (header.number !== number) return `It is the journal of number ${header.number}.`;
  return header.schema_version === schema
    ? undefined
    : `Its schema ${header.schema_version} is not that of its data file, ${schema}.`;
}
