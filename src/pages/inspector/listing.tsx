import { DataTable, type Sorting } from '../data-table.tsx';
import { PageLinks, pageOf } from '../parts.tsx';
import { numberText } from '../wording.ts';
import { InspectorPage, Live } from './frame.tsx';
import { type InspectorRequest, type PageStep, useRequest } from './inspector-request.ts';
import { Downloads, fileOf } from './listing-download.tsx';
import { EmptyWorld, isEmpty } from './overview/empty-world.tsx';
import { ALL_ROWS, type List, type Listing, MAX_LOOKED_AT, searchList } from './search/list.ts';
import { type ChipCounts, ChipGroups, countChips, SearchBox } from './search/search-box.tsx';

/** Serves a page with a list, or a file of that list. */
export function listPage<R extends object>(list: List<R>): PageStep {
  return async (request) => {
    const listing = await readListing(list, request);
    const file = fileOf(listing, request);
    if (file) return file;
    const { rows } = listing;
    const counts = countChips(list, rows, request);
    return (
      <InspectorPage
        request={request}
        section={list.section}
        actions={
          <>
            {list.actions?.()}
            {rows.length > 0 && <Downloads />}
          </>
        }
      >
        {list.before?.()}
        <ListView {...listing} counts={counts} />
        {list.after?.()}
      </InspectorPage>
    );
  };
}

const PAGE_SIZE = 50;

/** Searches a list in slices, sorts the results and selects the requested page. */
export async function readListing<R extends object>(
  list: List<R>,
  request: InspectorRequest,
): Promise<Listing<R>> {
  const rows = list.rows(request);
  const searched = await searchList(list, rows, request);
  const { length } = searched.found;
  const sorted = canSort(searched.found) ? inOrder(searched.found, list, request) : searched.found;
  const { page, pages } = pageOf(length, PAGE_SIZE, request.query('page'));
  const end = length - (page - 1) * PAGE_SIZE;
  const shown = sorted.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
  return { ...searched, list, rows, shown, page, pages };
}

type ListViewProps<R extends object> = Listing<R> & { readonly counts: ChipCounts };

/** The list with its search, page by page. */
export function ListView<R extends object>(props: ListViewProps<R>) {
  const { list, rows, found, shown, page, pages, counts } = props;
  const request = useRequest();
  const isSearched = rows.length > 0 || request.query('q') !== '';
  const nothingFits = (
    <>
      No results. <a href={request.here({ q: undefined, page: undefined })}>Show all</a>
    </>
  );
  return (
    <>
      {isSearched && <SearchBox list={list} />}
      {isSearched && list.chips && <ChipGroups {...counts} />}
      <Live id="list" total={found.length}>
        <p role="status" class={isSearched ? undefined : 'hidden'} data-testid="count">
          <Count {...props} />
        </p>
        <DataTable
          label={list.label}
          columns={list.columns(request)}
          rows={shown}
          time={list.time}
          sorting={canSort(found) ? sortingOf(request, list) : undefined}
          empty={rows.length === 0 ? list.empty : nothingFits}
        />
        {rows.length === 0 && isEmpty(request.world) && <EmptyWorld />}
        <PageLinks
          label="Pages"
          page={page}
          pages={pages}
          to={(number) => request.here({ page: number })}
        />
      </Live>
    </>
  );
}

/** The number of results and, if not all rows were searched, a link to search all. */
function Count<R extends object>({ list, found, isCut, rows }: Listing<R>) {
  const request = useRequest();
  const [some, all] = [numberText(found.length), numberText(rows.length)];
  if (isCut)
    return (
      <>
        {some} among the newest {numberText(MAX_LOOKED_AT)} of {all}.{' '}
        <a href={request.here({ search: ALL_ROWS, page: undefined })}>Search all</a>
      </>
    );
  if (some !== all) return `${some} of ${all}`;
  const ever = list.everOf?.(request) ?? rows.length;
  return ever === rows.length
    ? `${all} in all`
    : `The newest ${all} of ${numberText(ever)} ${list.label.toLowerCase()} are kept`;
}

/** More results are not sorted, because that would block other requests. */
const MAX_SORTED = 20_000;

const canSort = (found: readonly unknown[]): boolean => found.length <= MAX_SORTED;

/** Returns the rows sorted by the requested column. */
function inOrder<R extends object>(
  rows: readonly R[],
  { orders = {} }: List<R>,
  request: InspectorRequest,
): readonly R[] {
  const { column, isAscending } = wantedOrder(request);
  const order = Object.hasOwn(orders, column) ? orders[column] : undefined;
  if (!order) return rows;
  const keyed = rows.map((row) => [order(row, request), row] as const);
  const sign = isAscending ? -1 : 1;
  keyed.sort(([left], [right]) => (left < right ? -sign : left > right ? sign : 0));
  return keyed.map(([, row]) => row);
}

function wantedOrder(request: InspectorRequest) {
  const text = request.query('sort');
  return { column: text.replace(/^-/, ''), isAscending: !text.startsWith('-') };
}

/** Returns the links of the headings. A click sorts by the column; a second click reverses the order. */
function sortingOf<R extends object>(request: InspectorRequest, { orders = {} }: List<R>): Sorting {
  const { column, isAscending } = wantedOrder(request);
  return {
    column,
    isAscending,
    to: (name) =>
      Object.hasOwn(orders, name)
        ? request.here({
            sort: name === column && isAscending ? `-${name}` : name,
            page: undefined,
          })
        : undefined,
  };
}
