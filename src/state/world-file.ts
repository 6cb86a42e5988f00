import type { ClockState } from './clock.ts';
import type { Row } from './table.ts';
import type { Environment, World, WorldImage } from './world.ts';

/** Form of an exported world. A larger number was written by a newer release. */
export const WORLD_SCHEMA_VERSION = 1;

/** A world as text that people read and keep beside their tests: everything that it holds. */
export interface WorldFile {
  readonly format: 'billing-emulator-world';
  readonly schema_version: number;
  readonly sandbox: string;
  readonly environment: Environment;
  readonly account_id: string;
  readonly clock: ClockState;
  readonly sequence: number;
  readonly requests: number;
  /** Tables that hold something, each by the order of creation. */
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

/** What a world holds, in an order that is the same for the same contents. */
export function exportWorld(world: World): WorldFile {
  const { sandbox, environment, accountId } = world;
  const { clock, sequence, requests, tables } = world.image();
  const filled = Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => [name, [...rows].sort(compareRows).map(sortKeys)]);
  return {
    format: 'billing-emulator-world',
    schema_version: WORLD_SCHEMA_VERSION,
    sandbox,
    environment,
    account_id: accountId,
    clock: sortKeys(clock),
    sequence,
    requests,
    tables: Object.fromEntries(filled),
  };
}

/** The image that a file holds. */
export function imageOf({ clock, sequence, requests, tables }: WorldFile): WorldImage {
  return { clock, sequence, requests, tables };
}

function compareRows(left: Row, right: Row): number {
  if (left.seq !== right.seq) return left.seq - right.seq;
  return left.id < right.id ? -1 : 1;
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
