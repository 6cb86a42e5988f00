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
  const sharedValue = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return texts.intern(value, value);
    if (typeof value !== 'object' || value === null) return value;
    if (PARTS.has(name)) {
      const part = parts.intern(JSON.stringify(value), value);
      if (part !== value) return part;
    }
    if (!Array.isArray(value)) share(value as Record<string, unknown>);
    else for (let at = 0; at < value.length; at += 1) value[at] = sharedValue(value[at], '');
    return value;
  };
  const share = (holder: Record<string, unknown>): void => {
    for (const name of Object.keys(holder)) holder[name] = sharedValue(holder[name], name);
  };
  return (row) => {
    share(row as never);
    return row;
  };
}
