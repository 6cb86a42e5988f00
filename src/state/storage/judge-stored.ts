import type { Finding } from '../../domain/rules.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import type { RecordTables } from '../captured-tables.ts';
import { findFlaws } from '../laws/breaches.ts';
import { runToEnd } from '../resumable.ts';
import { TABLE_NAMES } from '../schema.ts';
import type { Row } from '../table.ts';
import type { OnFlaw } from './data-error.ts';
import { imagesOfStored, type Stored, type StoredImage } from './stored.ts';

/** Hears what is wrong with what is kept of a world. */
export type OnFinding = (world: string, finding: Finding) => void;

/** Tells each finding as a flaw of a file. */
export const flawsOf =
  (file: string, flaw: OnFlaw): OnFinding =>
  (world, { field, message }) =>
    flaw({ file, place: `${world}, ${field}`, message });

/** Records of one world up to which the laws of the ledger are judged at a start too. */
const FEW_ROWS = 10_000;

/**
 * Judges all that is kept as an import is judged: every record by its form, by what it names and counts, and by the
 * laws of the ledger; of a large world by these only where it is `thorough`.
 */
export function judgeStored(stored: Stored, thorough: boolean, onFinding: OnFinding): void {
  for (const [key, name, image] of imagesOfStored(stored))
    for (const finding of judgeImage(image, thorough)) onFinding(key, within(name, finding));
}

/** A finding about a world, or about an image of it. */
export const within = (image: string, { field, message }: Finding): Finding => ({
  field: image === '' ? field : `${image}: ${field}`,
  message,
});

/** What is wrong with a world, or with one of its images. What is misshapen is not judged by what it says. */
function judgeImage(image: StoredImage, thorough: boolean): readonly Finding[] {
  const misshapen = misshapenIn(image);
  if (misshapen.length > 0) return misshapen;
  const withLedger = thorough || sizeOf(image) <= FEW_ROWS;
  const { tables, platform } = readable(image);
  return runToEnd(findFlaws(tables, platform, { withLedger }));
}

/** What is wrong with the form of its records, by their table and their place in it. */
export function misshapenIn({ head, tables }: StoredImage): readonly Finding[] {
  const rows = [...tables].map(([name, held]) => [name, [...held.values()]] as const);
  return runToEnd(findMisshapen(Object.fromEntries(rows), head.sequence));
}

/** Its tables as the laws read them, and the account that it belongs to. */
export function readable({ tables }: StoredImage): { tables: RecordTables; platform: string } {
  const all = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, tables.get(name) ?? new Map<string, Row>()]),
  ) as unknown as RecordTables;
  return { tables: all, platform: platformOf(all) };
}

const sizeOf = ({ tables }: StoredImage): number =>
  [...tables.values()].reduce((total, rows) => total + rows.size, 0);

/** The account that most records belong to which is not among the connected ones. */
function platformOf(tables: RecordTables): string {
  const counts = new Map<string, number>();
  for (const name of TABLE_NAMES)
    for (const { owner } of tables[name].values() as Iterable<Row & { owner?: string }>)
      if (owner !== undefined && !tables.accounts.get(owner))
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0] as const)[0];
}
