import Big from 'big.js';
import type { WorldFile } from '../../../src/store/world-file.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows as they are in the file
type AnyRow = any;

/** For tests: the number of rows added, removed and changed per table, by the text of the rows. */
export function countChanges(
  from: WorldFile,
  to: WorldFile,
): Readonly<Record<string, readonly number[]>> {
  const counts: Record<string, readonly number[]> = {};
  const [before, after] = [textsOf(from), textsOf(to)];
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(table) ?? new Map(), after.get(table) ?? new Map()];
    const added = [...now.keys()].filter((id) => !old.has(id)).length;
    const removed = [...old.keys()].filter((id) => !now.has(id)).length;
    const changed = [...now].filter(([id, text]) => old.has(id) && old.get(id) !== text).length;
    if (added + removed + changed > 0) counts[table] = [added, removed, changed];
  }
  return counts;
}

/** The text of each row by table and id, and of the fields outside the tables. */
function textsOf({
  tables,
  clock,
  requests,
  sequence,
}: WorldFile): Map<string, Map<string, string>> {
  const rows = Object.entries(tables).map(
    ([table, list]) => [table, new Map(list.map((row) => [row.id, JSON.stringify(row)]))] as const,
  );
  const beside = Object.entries({ clock, requests, sequence }).map(
    ([name, value]) => [name, new Map([[name, JSON.stringify(value)]])] as const,
  );
  return new Map([...rows, ...beside]);
}

/** The sums per asset that a comparison reports, by table, name and asset, computed by a library. */
export function sumUpExport({ tables }: WorldFile): ReadonlyMap<string, string> {
  const sums = new Map<string, Big>();
  const add = (name: string, amount: string) =>
    sums.set(name, (sums.get(name) ?? new Big(0)).plus(amount));
  const rows = (table: string) => (tables[table] ?? []) as readonly AnyRow[];
  for (const { asset, available } of rows('wallet_accounts'))
    add(`wallet_accounts available ${asset}`, available);
  for (const { asset, amount, remaining } of rows('grants')) {
    add(`grants given ${asset}`, amount);
    add(`grants remaining ${asset}`, remaining);
  }
  for (const { asset, postings } of rows('transactions'))
    for (const { amount } of postings) add(`transactions moved ${asset}`, amount);
  for (const { fees, costs } of rows('events')) {
    for (const { amount, terms } of fees) add(`events fees ${terms.currency}`, amount);
    for (const { amount, currency } of costs) add(`events costs ${currency}`, amount);
  }
  for (const { amount, currency } of rows('fee_payments'))
    add(`fee_payments collected ${currency}`, amount);
  for (const { amount, currency, credit, asset } of rows('top_ups')) {
    add(`top_ups amount ${currency}`, amount);
    add(`top_ups credit ${asset}`, credit);
  }
  return new Map([...sums].map(([name, sum]) => [name, sum.eq(0) ? '0' : sum.toFixed()]));
}
