/**
 * For tests and screenshots: follows the links of the inspector from one page, within one world. Returns an address for
 * each kind of page, that of the longest one found, and the broken links, each with its status.
 */
export async function crawl(start: string) {
  const found = new Map<string, { readonly address: string; readonly length: number }>();
  const broken: string[] = [];
  const seen = new Set([start]);
  const counts = new Map<string, number>();
  const queue = [start];
  const { origin, pathname, searchParams } = new URL(start);
  const key = searchParams.get('key');
  for (let address = queue.shift(); address; address = queue.shift()) {
    const kind = kindOf(address);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count > MAX_OF_A_KIND) continue;
    const response = await fetch(address);
    const text = await response.text();
    if (!response.ok) broken.push(`${response.status} ${address}`);
    if (text.length > (found.get(kind)?.length ?? 0))
      found.set(kindOf(response.url), { address: response.url, length: text.length });
    for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const next = new URL(href.replaceAll('&amp;', '&'), address);
      next.hash = '';
      if (next.pathname.endsWith('.json')) continue;
      if (!next.href.startsWith(origin + pathname) || next.searchParams.get('key') !== key)
        continue;
      if (OTHER_VIEWS.some((name) => next.searchParams.has(name)) || seen.has(next.href)) continue;
      seen.add(next.href);
      queue.push(next.href);
    }
  }
  const addresses = [...found].map(([kind, { address }]) => [kind, address] as const);
  return { addresses: Object.fromEntries(addresses), broken };
}

const MAX_OF_A_KIND = 12;
/** Parameters that show the same page in another way. */
const OTHER_VIEWS = ['format', 'sort'];

/** Pages below a section that are not about one record. */
const OWN_PAGES = new Set(['profit', 'compare']);

/** A page's path below the inspector, with `id` for ids, such as `customers-id`. */
function kindOf(address: string): string {
  const [, page = '', second] = new URL(address).pathname.split('/').slice(2);
  if (page === 'go')
    return `go ${new URL(address).searchParams.get('id')?.split('_')[0]?.slice(0, 4)}`;
  if (page === '') return 'overview';
  if (second === undefined) return page;
  return OWN_PAGES.has(second) ? `${page} ${second}` : `${page} one`;
}
