import { serialise } from '../text/exact-json.ts';

/** Maximum size of a page; the next page begins after its last item. @units bytes */
const MAX_BYTES = 4_194_304;

/** As many items as fit into a page, at least one, as they are shown. @assumes A-1405 */
export function pageOfBytes<T, U>(items: readonly T[], present: (item: T) => U): U[] {
  const page: U[] = [];
  let bytes = 0;
  for (const item of items) {
    const shown = present(item);
    bytes += Buffer.byteLength(serialise(shown).text);
    if (bytes > MAX_BYTES && page.length > 0) break;
    page.push(shown);
  }
  return page;
}
