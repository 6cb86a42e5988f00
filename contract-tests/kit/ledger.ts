import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * What a run may have left on its target. An entry is on disk before its request is sent, so that a run that
 * was killed can still be cleaned up after.
 */
export interface Entry {
  readonly number: number;
  readonly operation: string;
  /** How to find the object again when its id never arrived. */
  readonly marker: string;
  readonly id: string | undefined;
  readonly status: number | undefined;
  readonly removed: boolean;
}

export interface Ledger {
  /** Notes a request that is about to be sent; answers its number. */
  announce(operation: string, marker: string): number;
  /** Notes what came of it. */
  settle(number: number, status: number, id: string | undefined): void;
  /** Notes that the object with an id is gone. */
  remove(id: string): void;
  entries(): readonly Entry[];
}

type Line =
  | { readonly announce: number; readonly operation: string; readonly marker: string }
  | { readonly settle: number; readonly status: number; readonly id?: string }
  | { readonly remove: string };

/** Opens the ledger of a run, kept in memory alone where no file is given. */
export function openLedger(file: string | undefined): Ledger {
  const lines: Line[] = file !== undefined && existsSync(file) ? [...readLines(file)] : [];
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
  let last = entriesOf(lines).length;
  const write = (line: Line): void => {
    lines.push(line);
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  return {
    announce(operation, marker) {
      last += 1;
      write({ announce: last, operation, marker });
      return last;
    },
    settle: (number, status, id) =>
      write({ settle: number, status, ...(id !== undefined && { id }) }),
    remove: (id) => write({ remove: id }),
    entries: () => entriesOf(lines),
  };
}

/** Reads what a ledger file holds. */
export function readLedger(file: string): readonly Entry[] {
  return existsSync(file) ? entriesOf(readLines(file)) : [];
}

function readLines(file: string): readonly Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
}

function entriesOf(lines: readonly Line[]): readonly Entry[] {
  const entries = new Map<number, Entry>();
  for (const line of lines) {
    if ('announce' in line) {
      const { announce: number, operation, marker } = line;
      entries.set(number, {
        number,
        operation,
        marker,
        id: undefined,
        status: undefined,
        removed: false,
      });
    } else if ('settle' in line) {
      const entry = entries.get(line.settle);
      if (entry) entries.set(line.settle, { ...entry, status: line.status, id: line.id });
    } else {
      for (const entry of entries.values())
        if (entry.id === line.remove) entries.set(entry.number, { ...entry, removed: true });
    }
  }
  return [...entries.values()];
}
