import type { Finding } from '../../domain/rules.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import type { RecordTables } from '../captured-tables.ts';
import { findFlaws } from '../laws/breaches.ts';
import { inSlices, type Resumable } from '../resumable.ts';
import type { Row } from '../row.ts';
import { TABLE_NAMES } from '../schema.ts';
import type { OnFlaw } from './data-error.ts';
import { imagesOfStored, type Stored, type StoredImage } from './stored.ts';

export type OnFinding = (world: string, finding: Finding) => void;

/** Reports findings as flaws of a file. */
export const flawsOf =
  (file: string, flaw: OnFlaw): OnFinding =>
  (world, { field, message }) =>
    flaw({ file, place: `${world}, ${field}`, message });

/** Up to this many records of a world, its ledger is verified at every start. */
const FEW_ROWS = 10_000;

/**
 * Validates all stored data as an import is validated: the form of every record, its references, and the laws of the
 * ledger; the last only for small worlds, unless it is `thorough`.
 */
export async function judgeStored(
  stored: Stored,
  thorough: boolean,
  onFinding: OnFinding,
): Promise<void> {
  for (const [key, name, image] of imagesOfStored(stored))
    for (const finding of await inSlices(judgeImage(image, thorough)))
      onFinding(key, within(name, finding));
}

/** The finding with the name of the image that it is about; empty for the world itself. */
export const within = (image: string, { field, message }: Finding): Finding => ({
  field: image === '' ? field : `${image}: ${field}`,
  message,
});

/** The findings about a world or an image. Contents are only checked if the form of all records is right. */
function* judgeImage(image: StoredImage, thorough: boolean): Resumable<readonly Finding[]> {
  const misshapen = yield* misshapenIn(image);
  if (misshapen.length > 0) return misshapen;
  const withLedger = thorough || sizeOf(image) <= FEW_ROWS;
  const { tables, platform } = readable(image);
  return yield* findFlaws(tables, platform, { withLedger });
}

/** The findings about the form of its records, by table and position. */
export function misshapenIn({ head, tables }: StoredImage): Resumable<readonly Finding[]> {
  const rows = [...tables].map(([name, held]) => [name, [...held.values()]] as const);
  return findMisshapen(Object.fromEntries(rows), head.sequence);
}

/** Read access to its tables, and its platform account. */
export function readable({ tables }: StoredImage): { tables: RecordTables; platform: string } {
  const all = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, tables.get(name) ?? new Map<string, Row>()]),
  ) as unknown as RecordTables;
  return { tables: all, platform: platformOf(all) };
}

const sizeOf = ({ tables }: StoredImage): number =>
  [...tables.values()].reduce((total, rows) => total + rows.size, 0);

/** The account with most records that is not a connected account. */
function platformOf(tables: RecordTables): string {
  const counts = new Map<string, number>();
  for (const name of TABLE_NAMES)
    for (const { owner } of tables[name].values() as Iterable<Row & { owner?: string }>)
      if (owner !== undefined && !tables.accounts.get(owner))
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0] as const)[0];
}
