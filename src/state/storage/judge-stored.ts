import type { Finding } from '../../domain/rules.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import type { RecordTables } from '../captured-tables.ts';
import { findFlaws } from '../laws/breaches.ts';
import { runToEnd } from '../resumable.ts';
import { TABLE_NAMES } from '../schema.ts';
import type { Row } from '../table.ts';
import type { Stored, StoredImage } from './stored.ts';

/** Hears what is wrong with what is kept of a world. */
type OnFinding = (world: string, finding: Finding) => void;

/** Records of one world up to which the laws of the ledger are judged at a start too. */
const FEW_ROWS = 10_000;

/**
 * Judges all that is kept as an import is judged: every record by its form, by what it names and counts, and by the
 * laws of the ledger; of a large world by these only where it is `thorough`.
 */
export function judgeStored({ worlds }: Stored, thorough: boolean, onFinding: OnFinding): void {
  for (const [key, world] of worlds)
    for (const [name, image] of [['', world] as const, ...world.images])
      for (const { field, message } of judgeImage(image, thorough))
        onFinding(key, { field: name === '' ? field : `${name}: ${field}`, message });
}

/** What is wrong with a world, or with one of its images. What is misshapen is not judged by what it says. */
function judgeImage({ head, tables }: StoredImage, thorough: boolean): readonly Finding[] {
  const rows = [...tables].map(([name, held]) => [name, [...held.values()]] as const);
  const misshapen = runToEnd(findMisshapen(Object.fromEntries(rows), head.sequence));
  if (misshapen.length > 0) return misshapen;
  const readable = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, tables.get(name) ?? new Map<string, Row>()]),
  ) as unknown as RecordTables;
  const count = rows.reduce((total, [, each]) => total + each.length, 0);
  const withLedger = thorough || count <= FEW_ROWS;
  return runToEnd(findFlaws(readable, platformOf(readable), { withLedger }));
}

/** The account of the world itself: the owner of records that is not among the connected accounts. */
function platformOf(tables: RecordTables): string {
  for (const name of TABLE_NAMES)
    for (const { owner } of tables[name].values() as Iterable<Row & { owner?: string }>)
      if (owner !== undefined && !tables.accounts.get(owner)) return owner;
  return '';
}
