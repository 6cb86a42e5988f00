import { InternPool } from '../intern-pool.ts';

/** Fields whose texts many rows have in common. */
const TEXTS = new Set([
  'account_id',
  'created_at',
  'customer_id',
  'event_type',
  'last_updated_at',
  'occurred_at',
  'of',
  'owner',
  'subject',
]);
/** Parts that many rows have alike. */
const PARTS = new Set(['billed_by', 'postings', 'terms']);
/** Makes a row share what it has alike with those before it; it must not be in use yet. */
export type Sharer = <R extends object>(row: R) => R;

/**
 * Makes rows that were read share what is alike in them, as rows that were written in this process do: read one by
 * one, an event would hold its customer's products and each fee's terms by itself.
 */
export function createSharer(): Sharer {
  const texts = new InternPool<string>();
  const parts = new InternPool<unknown>();
  const share = (holder: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === 'string') {
        if (TEXTS.has(name)) holder[name] = texts.intern(value, value);
      } else if (typeof value === 'object' && value !== null) {
        if (PARTS.has(name)) holder[name] = parts.intern(JSON.stringify(value), value);
        else share(value as Record<string, unknown>);
      }
    }
  };
  return (row) => {
    share(row as never);
    return row;
  };
}
