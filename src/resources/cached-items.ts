import { keepText } from '../text/exact-json.ts';

/** Items of one generation; two are kept, so that what is asked for again stays and the rest goes. */
const GENERATION = 5_000;

interface KeptItem {
  /** What it shows beside its row. */
  readonly beside: unknown;
  readonly item: object;
}

let young = new Map<object, KeptItem>();
let old = new Map<object, KeptItem>();

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
    if (young.size >= GENERATION) [young, old] = [new Map(), young];
    young.set(row, fresh);
  }
  return fresh.item as T;
}
