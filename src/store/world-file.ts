import type { Row } from './row.ts';
import { runTimeSliced, type TimeSliced } from './time-sliced.ts';
import type { Environment, World, WorldImage } from './world.ts';

export const WORLD_FORMAT = 'billing-emulator-world';
/** Version of the records in data files and exports. A newer release writes a larger number. */
export const SCHEMA_VERSION = 1;

/** A world as text that people read and keep beside their tests: everything that it holds, tables
 * that hold something, each in the order of creation. */
export interface WorldFile extends WorldImage {
  readonly format: typeof WORLD_FORMAT;
  readonly schema_version: number;
  readonly sandbox: string;
  readonly environment: Environment;
  readonly account_id: string;
}

/** Characters per piece: neither many small writes nor one huge text. */
const PIECE_LENGTH = 65_536;

/**
 * The present state of a world as JSON, in pieces that can be consumed while the world goes on: one record per line, in
 * an order that is the same for the same contents. For a connected account, the records of that account alone.
 *
 * @assumes A-1404
 */
export async function piecesOf(world: World, owner = world.accountId): Promise<Iterable<string>> {
  const { sandbox, environment, accountId } = world;
  const image = await runTimeSliced(world.imaging());
  const { clock, sequence, requests } = image;
  const tables =
    owner === accountId ? image.tables : await runTimeSliced(tablesOf(owner, image.tables));
  const head = {
    format: WORLD_FORMAT,
    schema_version: SCHEMA_VERSION,
    sandbox,
    environment,
    account_id: accountId,
    clock: sortKeys(clock),
    sequence,
    requests,
  } satisfies Omit<WorldFile, 'tables'>;
  return joined(linesOf(head, tables));
}

function* tablesOf(owner: string, tables: WorldImage['tables']): TimeSliced<WorldImage['tables']> {
  const own: Record<string, readonly Row[]> = {};
  for (const [name, rows] of Object.entries(tables)) {
    own[name] = rows.filter((row: Row & { readonly owner?: string }) =>
      name === 'accounts' ? row.id === owner : row.owner === owner,
    );
    yield;
  }
  return own;
}

function* linesOf(
  head: Omit<WorldFile, 'tables'>,
  tables: WorldImage['tables'],
): Generator<string> {
  const fields = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  yield `{\n${fields.join('')}  "tables": {`;
  const filled = Object.entries(tables).filter(([, rows]) => rows.length > 0);
  for (const [place, [name, rows]] of filled.entries()) {
    yield `${place === 0 ? '' : ','}\n    ${JSON.stringify(name)}: [\n`;
    const last = rows.length - 1;
    for (const [index, row] of rows.entries())
      yield `      ${JSON.stringify(sortKeys(row))}${index === last ? '' : ','}\n`;
    yield '    ]';
  }
  yield filled.length === 0 ? '}\n}\n' : '\n  }\n}\n';
}

function* joined(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function sortKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortKeys) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, inner]) => [name, sortKeys(inner)]);
  return Object.fromEntries(entries) as T;
}
