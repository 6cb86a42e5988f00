import { keepText, serialiseKept } from '../text/exact-json.ts';

/**
 * What one generation holds at most; two are kept, so that what is asked for again stays and the rest goes. Rows of
 * worlds that are gone stay as long, so that their texts are counted too.
 */
const MOST = { items: 5_000, characters: 8_000_000 } as const;

interface KeptItem {
  /** What it shows beside its row. */
  readonly beside: unknown;
  readonly item: object;
}

let young = new Map<object, KeptItem>();
let old = new Map<object, KeptItem>();
let characters = 0;

/**
 * A row as lists show it, made once for as long as neither the row nor what is shown beside it changes.
 * Rows are replaced, never changed, so that the row itself tells.
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
