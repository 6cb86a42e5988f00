import { exactly } from '../exact-size.ts';
import { InternPool } from '../intern-pool.ts';

/** Parts that many rows have alike. */
const PARTS = new Set(['billed_by', 'postings', 'terms']);
/** Makes a row share what it has alike with those before it; it must not be in use yet. */
export type Sharer = <R extends object>(row: R) => R;

/**
 * Makes rows that were read share what is alike in them, as rows that were written in this process do: read one by
 * one, an event would hold its customer's products and each fee's terms by itself, and each of its texts several times.
 */
export function createSharer(): Sharer {
  const texts = new InternPool<string>();
  const parts = new InternPool<unknown>();
  const share = (holder: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === 'string') holder[name] = texts.intern(value, value);
      else if (Array.isArray(value) && value.length === 0) holder[name] = exactly(value);
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
