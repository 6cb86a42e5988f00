import type { Finding } from '../../domain/rules.ts';
import { findFlaws, recordBreaches } from '../laws/breaches.ts';
import { LAWS } from '../laws/law.ts';
import { findMisfits, type Misfit } from '../laws/reference-laws.ts';
import type { TotalsRow } from '../records.ts';
import { runToEnd } from '../resumable.ts';
import type { Row } from '../row.ts';
import { misshapenIn, type OnFinding, readable, within } from './judge-stored.ts';
import { imagesOfStored, type Stored, type StoredImage } from './stored.ts';

/**
 * Removes what is not sound: records of the wrong form or with broken references, customers whose ledger breaks a law,
 * and a whole snapshot or world if the rest still does not add up. Reports each.
 */
export function repairStored(stored: Stored, onLeft: OnFinding): void {
  for (const [key, name, image] of [...imagesOfStored(stored)])
    if (!mend(image, (finding) => onLeft(key, within(name, finding)))) {
      if (name === '') stored.worlds.delete(key);
      else stored.worlds.get(key)?.images.delete(name);
    }
}

type Tell = (finding: Finding) => void;

/** Repairs a world or an image; returns whether the rest is sound. */
function mend(image: StoredImage, tell: Tell): boolean {
  raiseSequence(image, tell);
  removeMisshapen(image, tell);
  removeMisfits(image, tell);
  removeUnbalanced(image, tell);
  const { tables, platform } = readable(image);
  const flaws = runToEnd(findFlaws(tables, platform));
  for (const flaw of flaws) tell(flaw);
  if (flaws.length > 0)
    tell({ field: 'all of it', message: 'It is inconsistent and is left out.' });
  return flaws.length === 0;
}

/** Makes sure that new records are numbered after the existing ones. */
function raiseSequence(image: StoredImage, tell: Tell): void {
  let last = image.head.sequence;
  for (const rows of image.tables.values())
    for (const { seq } of rows.values()) if (Number.isSafeInteger(seq) && seq > last) last = seq;
  if (last === image.head.sequence) return;
  tell({ field: 'sequence', message: `Raised from ${image.head.sequence} to ${last}.` });
  image.head = { ...image.head, sequence: last };
}

/** The table and the position in a finding about a row. */
const PLACE = /^tables\.([\w-]+)(?:\[(\d+)\])?/;

function removeMisshapen(image: StoredImage, tell: Tell): void {
  for (;;) {
    const misshapen = runToEnd(misshapenIn(image));
    if (misshapen.length === 0) return;
    const places = misshapen.map((finding) => PLACE.exec(finding.field) as RegExpExecArray);
    const ids = new Map([...image.tables].map(([name, rows]) => [name, [...rows.keys()]]));
    for (const finding of misshapen) tell(finding);
    for (const [, table = '', place] of places) {
      if (place === undefined) image.tables.delete(table);
      else image.tables.get(table)?.delete(ids.get(table)?.[Number(place)] as string);
    }
  }
}

/** Removes records with broken references, and then those that refer to them. */
function removeMisfits(image: StoredImage, tell: Tell): void {
  for (let isMending = true; isMending; ) {
    isMending = false;
    const { tables, platform } = readable(image);
    const misfits = runToEnd(findMisfits(tables, platform));
    for (const { table, id, message } of [...misfits, ...orphanedSums(image)]) {
      if (!image.tables.get(table)?.delete(id)) continue;
      isMending = true;
      tell({ field: `${table}: ${id.replaceAll('\n', ' ')}`, message });
    }
  }
}

const SUMS_OF_CUSTOMERS = ['totals', 'daily_totals'];

function orphanedSums({ tables }: StoredImage): Misfit[] {
  return SUMS_OF_CUSTOMERS.flatMap((table) =>
    ([...(tables.get(table)?.values() ?? [])] as TotalsRow[])
      .filter(({ of }) => !tables.get('customers')?.has(of))
      .map(({ id, of }) => ({ table, id, message: `Its customer ${of} does not exist.` })),
  );
}

/** Removes customers whose ledger breaks a law, with all their records. */
function removeUnbalanced(image: StoredImage, tell: Tell): void {
  for (;;) {
    const breaches = runToEnd(recordBreaches(readable(image).tables));
    const customers = new Map(
      breaches.map(({ customer_id, law, message }) => [customer_id, `${LAWS[law]} ${message}`]),
    );
    customers.delete(undefined);
    if (customers.size === 0) return;
    for (const [id, message] of customers) {
      tell({
        field: `customers: ${id}`,
        message: `${message} It is left out with everything that belongs to it.`,
      });
      removeCustomer(image, id as string);
    }
    removeMisfits(image, tell);
  }
}

function removeCustomer({ tables }: StoredImage, customer: string): void {
  for (const rows of tables.values())
    for (const { id, customer_id } of rows.values() as Iterable<Row & { customer_id?: string }>)
      if (customer_id === customer || id === customer) rows.delete(id);
}
