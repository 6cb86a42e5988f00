import { serialise } from '../text/exact-json.ts';

/** Most bytes of a page; the next one begins behind its last item. */
const MOST_BYTES = 4_194_304;

/** The first of some items as they are shown, as many as a page has room for, and at least one. @assumes A-1405 */
export function pageOfBytes<T, U>(items: readonly T[], present: (item: T) => U): U[] {
  const page: U[] = [];
  let bytes = 0;
  for (const item of items) {
    const shown = present(item);
    bytes += Buffer.byteLength(serialise(shown).text);
    if (bytes > MOST_BYTES && page.length > 0) break;
    page.push(shown);
  }
  return page;
}
