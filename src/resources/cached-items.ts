import { keepText, serialiseKept } from '../text/exact-json.ts';

/**
 * The limit of one generation of the cache. Two generations are kept: items in use move to the new one, others are
 * dropped. Rows of closed worlds stay as long, so the limit also counts characters.
 */
const MOST = { items: 5_000, characters: 8_000_000 } as const;

interface KeptItem {
  /** Other data that the item depends on. */
  readonly beside: unknown;
  readonly item: object;
}

let young = new Map<object, KeptItem>();
let old = new Map<object, KeptItem>();
let characters = 0;

/**
 * Returns a row as lists show it. The item is cached until the row or `beside` changes. Rows are replaced, never
 * modified, so the row itself is the cache key.
 */
export function cachedItem<R extends object, T extends object>(
  row: R,
  beside: unknown,
  present: (row: R) => T,
): T {
  const known = young.get(row) ?? old.get(row);
  const fresh = known && known.beside === beside ? known : { beside, item: keepText(present(row)) };
  if (young.get(row) !== fresh) {
    if (young.size >= MOST.items || characters >= MOST.characters) {
      [young, old] = [new Map(), young];
      characters = 0;
    }
    young.set(row, fresh);
    characters += serialiseKept(fresh.item).text.length;
  }
  return fresh.item as T;
}
