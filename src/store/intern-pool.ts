/**
 * How many values a pool holds before it is emptied. A larger map would be a large object of V8's heap, and hundreds of
 * those, returned to the system in one pause, made other worlds wait for 150 ms.
 */
const MAX_KNOWN = 4_000;

/**
 * Shares equal values, so that each is in memory once. Without it, an event with three fees took 2,917 bytes instead of
 * 2,041 (10,000 events, 2026-11-25).
 */
export class InternPool<T> {
  readonly #values = new Map<string, T>();

  constructor(private readonly most: number = MAX_KNOWN) {}

  /** The value known under a key. */
  find(key: string): T | undefined {
    return this.#values.get(key);
  }

  /** The value known under a key, or else the given one, which is then known. */
  intern(key: string, value: T): T {
    const known = this.find(key);
    if (known !== undefined) return known;
    if (this.#values.size >= this.most) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}

/** Fields with objects that many rows have in common. */
const PARTS = new Set(['billed_by', 'postings', 'terms']);
/** Replaces equal parts of a row by those of earlier rows. The row is changed in place, so it must not be in use. */
type Sharer = <R extends object>(row: R) => R;

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
