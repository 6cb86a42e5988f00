import type { Finding } from '../../domain/rules.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import type { RecordTables } from '../captured-tables.ts';
import type { Row } from '../row.ts';
import { TABLE_NAMES } from '../schema.ts';
import { runTimeSliced, type TimeSliced } from '../time-sliced.ts';
import type { WorldImage } from '../world.ts';
import { DataError } from './data-error.ts';
import type { StoredImage } from './stored-image.ts';

/** Up to this many records of a world, its ledger is verified at every start. */
const FEW_ROWS = 10_000;

/** Finds broken references in records and, if asked, violations of the ledger. `platform` is the world's own account. */
export type FindFlaws = (
  tables: RecordTables,
  platform: string,
  options: { readonly withLedger: boolean },
) => TimeSliced<readonly Finding[]>;

/**
 * Validates images as an import is validated: the form of every record, its references and, in small worlds, the
 * invariants of the ledger.
 *
 * @throws DataError naming the first finding
 */
export async function validateImages(
  file: string,
  images: readonly StoredImage[],
  findFlaws: FindFlaws,
): Promise<void> {
  for (const image of images) {
    const [found] = await runTimeSliced(findingsIn(image, findFlaws));
    if (!found) continue;
    const about = image.kind === 'world' ? '' : `${image.kind}: `;
    throw new DataError(`${file}, ${image.key}, ${about}${found.field}: ${found.message}`);
  }
}

/** The findings about an image. Contents are only checked if the form of all records is right. */
function* findingsIn(
  { tables, sequence }: WorldImage,
  findFlaws: FindFlaws,
): TimeSliced<readonly Finding[]> {
  const misshapen = yield* findMisshapen(tables, sequence);
  if (misshapen.length > 0) return misshapen;
  const rows = Object.values(tables).reduce((total, { length }) => total + length, 0);
  const records = recordsOf(tables);
  return yield* findFlaws(records, platformOf(records), { withLedger: rows <= FEW_ROWS });
}

function recordsOf(tables: WorldImage['tables']): RecordTables {
  const byId = (rows: readonly Row[] = []) => new Map(rows.map((row) => [row.id, row]));
  return Object.fromEntries(
    TABLE_NAMES.map((name) => [name, byId(tables[name])]),
  ) as unknown as RecordTables;
}

/** The account with most records that is not a connected account. */
function platformOf(tables: RecordTables): string {
  const counts = new Map<string, number>();
  for (const name of TABLE_NAMES)
    for (const { owner } of tables[name].values() as Iterable<Row & { owner?: string }>)
      if (owner !== undefined && !tables.accounts.get(owner))
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0] as const)[0];
}
