import { FIRST_INSTANT, parseClockTime } from '../../domain/instant.ts';
import type { ClockState } from '../clock.ts';
import { createSharer } from '../intern-pool.ts';
import type { Row } from '../row.ts';
import type { WorldHead, WorldImage } from '../world.ts';
import { parseKey } from '../worlds.ts';
import { DataError } from './data-error.ts';
import type { FileContents, FileEntry } from './json-file.ts';
import type { ImageLabel, StoredImage } from './stored-image.ts';

/** The entries of an image: one for what it is, then one for each row, in the order of creation. */
export function* entriesOf({ tables, ...label }: StoredImage): Generator<FileEntry> {
  yield { value: label };
  for (const value of byCreation(tables)) yield { value };
}

/**
 * Merges the rows of several tables in the order of creation, as far as each table has it. What an event and its
 * transactions have in common is then close together, and is shared in memory when it is read.
 */
function* byCreation(tables: WorldImage['tables']): Generator<readonly [table: string, row: Row]> {
  let open = Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => ({ name, rows, next: 0 }));
  const seqOf = ({ rows, next }: (typeof open)[number]) => rows[next]?.seq ?? 0;
  while (open.length > 0) {
    const first = open.reduce((least, each) => (seqOf(each) < seqOf(least) ? each : least));
    yield [first.name, first.rows[first.next] as Row];
    first.next += 1;
    if (first.next === first.rows.length) open = open.filter((each) => each !== first);
  }
}

/**
 * Joins the entries of a file into images.
 *
 * @throws DataError naming the first entry that belongs to no image
 */
export async function imagesIn(
  file: string,
  entries: FileContents['entries'],
): Promise<StoredImage[]> {
  const share = createSharer();
  const images: StoredImage[] = [];
  const known = new Set<string>();
  let tables: Record<string, Row[]> | undefined;
  for await (const { value, place } of entries) {
    const refuse = (message: string): never => {
      throw new DataError(`${file}, ${place}: ${message}`);
    };
    if (Array.isArray(value)) {
      const [table, row] = value as [unknown, Row | null];
      if (!tables) return refuse('It is a row of no world.');
      if (typeof table !== 'string' || typeof row?.id !== 'string')
        return refuse(
          `It is not a table and a row with an id: ${JSON.stringify(value).slice(0, 80)}`,
        );
      (Object.hasOwn(tables, table) ? tables[table] : addTable(tables, table))?.push(share(row));
    } else {
      const label = value as ImageLabel & WorldHead;
      const [wrong] = findInLabel(label, known);
      if (wrong !== undefined) refuse(wrong);
      known.add(nameOf(label));
      tables = {};
      images.push({ ...label, tables });
    }
  }
  return images;
}

/** Defined as its own property, whatever its name: a name that is no table's is reported by the validation. */
function addTable(tables: Record<string, Row[]>, name: string): Row[] {
  const rows: Row[] = [];
  Object.defineProperty(tables, name, { value: rows, enumerable: true });
  return rows;
}

/** The name of an image, which is unique. */
function nameOf({ kind, key, ...about }: ImageLabel): string {
  const { name = '' } = about as { name?: string };
  return [kind, key, name].join('\n');
}

/** What is wrong with a label and the head beside it. `known` has the names of earlier images. */
function* findInLabel(
  label: ImageLabel & WorldHead,
  known: ReadonlySet<string>,
): Generator<string> {
  const { kind, key } = label ?? {};
  if (!Object.hasOwn(FIELDS_OF, kind ?? ''))
    return yield `There are no entries of the kind ${JSON.stringify(kind)}.`;
  for (const field of ['key', 'sequence', 'requests', 'clock', ...FIELDS_OF[kind]]) {
    const { isRight, expects } = FIELDS[field] as Field;
    const value = (label as unknown as Record<string, unknown>)[field];
    if (!isRight(value)) yield `${field}: Expected ${expects}, got ${JSON.stringify(value)}.`;
  }
  if (known.has(nameOf(label))) yield `There is a second ${kind} of ${key}.`;
  if ((kind === 'origin' || kind === 'snapshot') && !known.has(nameOf({ kind: 'world', key })))
    yield `There is no world ${key} before it.`;
}

/** The fields of each kind of image, besides those that all have. */
const FIELDS_OF: Readonly<Record<ImageLabel['kind'], readonly string[]>> = {
  world: ['made', 'origin'],
  origin: [],
  snapshot: ['name', 'saved_at'],
};

interface Field {
  readonly expects: string;
  readonly isRight: (value: unknown) => boolean;
}

const count: Field = {
  expects: 'a whole number',
  isRight: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

const FIELDS: Readonly<Record<string, Field>> = {
  key: {
    expects: 'the key of a world',
    isRight: (value) => typeof value === 'string' && parseKey(value) !== undefined,
  },
  sequence: count,
  requests: count,
  name: { expects: 'a text', isRight: (value) => typeof value === 'string' },
  saved_at: {
    expects: `an instant from ${FIRST_INSTANT}`,
    isRight: (value) => typeof value === 'string' && parseClockTime(value) === value,
  },
  clock: {
    expects: 'a clock from 1970 to 9999',
    isRight: (value) => {
      const clock = value as ClockState | null | undefined;
      return CLOCKS[clock?.mode as ClockState['mode']]?.(clock as never) === true;
    },
  },
  made: {
    expects: 'nothing, or an object that may have lifetime_ms',
    isRight: (value) =>
      value === undefined ||
      (isObject(value) &&
        (value['lifetime_ms'] === undefined || count.isRight(value['lifetime_ms']))),
  },
  origin: {
    expects: 'nothing, or an object of kind empty, or of kind fixture with a name',
    isRight: (value) =>
      value === undefined ||
      (isObject(value) &&
        (value['kind'] === 'empty' ||
          (value['kind'] === 'fixture' && typeof value['name'] === 'string'))),
  },
};

const CLOCKS: { readonly [M in ClockState['mode']]: (clock: never) => boolean } = {
  real: () => true,
  frozen: ({ at }: { at: unknown }) => typeof at === 'string' && parseClockTime(at) === at,
  offset: ({ offset_ms }: { offset_ms: unknown }) => Number.isFinite(offset_ms),
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
