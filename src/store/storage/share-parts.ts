import { withoutSpareCapacity } from '../exact-size.ts';
import { InternPool } from '../intern-pool.ts';

/** Fields with objects that many rows have in common. */
const PARTS = new Set(['billed_by', 'postings', 'terms']);
/** Replaces equal parts of a row by those of earlier rows. The row is changed in place, so it must not be in use. */
export type Sharer = <R extends object>(row: R) => R;

/**
 * Makes rows that were read share equal parts, as rows that were created in this process do. Otherwise each event would
 * have its own copy of its customer's products, of the terms of its fees and of its texts.
 */
export function createSharer(): Sharer {
  const texts = new InternPool<string>();
  const parts = new InternPool<unknown>();
  const share = (holder: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === 'string') holder[name] = texts.intern(value, value);
      else if (Array.isArray(value) && value.length === 0)
        holder[name] = withoutSpareCapacity(value);
      else if (typeof value === 'object' && value !== null) {
        if (PARTS.has(name)) holder[name] = parts.intern(JSON.stringify(value), value);
        if (holder[name] === value) share(value as Record<string, unknown>);
      }
    }
  };
  return (row) => {
    share(row as never);
    return row;
  };
}
