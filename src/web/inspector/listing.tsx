import type { ComponentChildren, VNode } from 'preact';
import { inSlices } from '../../state/resumable.ts';
import type { PageAnswer } from '../answer.ts';
import { type Columns, DataTable, type Sorting } from '../data-table.tsx';
import { Alert, PageLinks, pageOf, Section } from '../parts.tsx';
import { InspectorPage, Live } from './frame.tsx';
import { type InspectorRequest, type PageStep, useRequest } from './inspector-request.ts';
import { Downloads, downloadOf } from './listing-download.tsx';
import {
  ALL_ROWS,
  type Narrowed,
  type Searched,
  type SearchProps,
  searching,
} from './search/listing-search.ts';
import { misunderstood, parseSearch, type Search, unknownFields } from './search/search.ts';
import { MOST_SEARCHED } from './search/searched-rows.ts';
import { Chips, NothingFits, SearchBox } from './search-box.tsx';
import type { InspectorSection } from './sections.tsx';
import { EmptyWorld, isEmpty } from './worlds/empty-world.tsx';

/** What a search finds in a row. What looks at more than the row takes the request: what takes the row alone is read once. */
export type ReadForSearch<R> = (
  row: R,
  request: InspectorRequest,
) => readonly (string | undefined)[];

/** A list: what can be searched in it, and what it shows. */
export interface List<R> {
  readonly label: string;
  /** What a search may name, and what it finds there in a row. */
  readonly fields: Readonly<Record<string, ReadForSearch<R>>>;
  /** As few rows as an index gives among which all that a search finds are. */
  readonly narrow?: (search: Search, request: InspectorRequest) => Narrowed<R>;
  /** When a row came about. */
  readonly at?: (row: R) => string;
  /** Where free words are looked for, beside the fields; the whole row where absent. */
  readonly text?: ReadForSearch<R>;
  readonly columns: (request: InspectorRequest) => Columns<R>;
  /** By when rows stand under the date of their day; rows are in its order. */
  readonly dayOf?: (row: R) => string;
  /** By what a column puts rows in order. */
  readonly orders?: Readonly<
    Record<string, (row: R, request: InspectorRequest) => string | number>
  >;
  /** Searches that are often wanted, by name. */
  readonly chips?: Readonly<Record<string, string>>;
  /** What has to be said of its order. */
  readonly note?: string;
  /** What stands in place of an empty list. */
  readonly empty: string;
}

interface ListPage<R> extends List<R> {
  readonly section: InspectorSection;
  /** What the list is called on a page that shows more. */
  readonly title?: string;
  /** Oldest first; shown newest first. */
  readonly rows: (request: InspectorRequest) => readonly R[];
  /** What a row is as JSON, where that is not the row itself. */
  readonly kept?: (row: R) => unknown;
  /** Files of all rows that fit the search, by the format that an address asks for. */
  readonly files?: Readonly<Record<string, ListFile<R>>>;
  /** What stands above the list. */
  readonly before?: () => VNode;
  /** What stands below the list. */
  readonly after?: (rows: readonly R[]) => ComponentChildren;
}

/** A file made of rows. */
interface ListFile<R> {
  /** What a link to it says. */
  readonly label: string;
  /** Its text of the rows, oldest first. */
  readonly write: (
    rows: readonly R[],
    request: InspectorRequest,
  ) => PageAnswer | Promise<PageAnswer>;
}

/** A page whose one part is a list. */
export function listPage<R>(list: ListPage<R>): PageStep {
  return async (request) => {
    const { section } = list;
    const rows = list.rows(request);
    const format = request.query('format');
    const ownFile = Object.hasOwn(list.files ?? {}, format) ? list.files?.[format] : undefined;
    if (ownFile) {
      const { found } = await inSlices(searching({ request, list, rows }));
      if (found.length > 0) return ownFile.write(found, request);
    } else if (format !== '') {
      const found = await shownRows({ request, path: section, list, rows });
      const file = downloadOf(request, found, list.columns(request), list.kept ?? ((row) => row));
      if (file) return file;
    }
    const listing = await makeListing({ request, path: section, list, rows });
    const page = (
      <InspectorPage request={request} section={section}>
        {list.before?.()}
        {list.title === undefined ? (
          listing
        ) : (
          <Section id="listed" title={list.title}>
            {listing}
          </Section>
        )}
        {rows.length > 0 && <Downloads files={list.files ?? {}} />}
        {list.after?.(rows)}
      </InspectorPage>
    );
    return { page };
  };
}

interface ListingProps<R> extends SearchProps<R> {
  /** Path of the page that the list stands on. */
  readonly path: string;
}

const PAGE_SIZE = 50;

/** The rows of the page that was asked for. */
async function shownRows<R>(props: ListingProps<R>): Promise<readonly R[]> {
  const { found } = await inSlices(searching(props));
  return select(inOrder(found, props), props.request).shown;
}

/** A list with its search, page by page. What is searched for is looked for in slices. */
export async function makeListing<R>(props: ListingProps<R>): Promise<VNode> {
  const { request, path, list, rows } = props;
  const total = rows.length;
  const fields = Object.keys(list.fields);
  const searched = await inSlices(searching(props));
  const found = inOrder(searched.found, props);
  const { shown, count, page, pages } = select(found, request);
  const isUnsorted = request.query('sort') !== '' && found.length > MOST_SORTED;
  const troubles = [...searchTroubles(request, fields), ...(isUnsorted ? [UNSORTED] : [])];
  const isSearched = total > 0 || request.query('q') !== '';
  return (
    <>
      {isSearched && <SearchBox path={path} fields={fields} />}
      {isSearched && list.chips && <Chips chips={list.chips} />}
      {troubles.length > 0 && <Alert text={troubles.join(' ')} />}
      <Live id={idOf(list)} total={count}>
        <p role="status" class={isSearched ? undefined : 'hidden'} data-testid="count">
          <Count found={count} searched={searched} total={total} />
          {list.note !== undefined && <small class="muted"> {list.note}</small>}
        </p>
        <DataTable
          label={list.label}
          columns={list.columns(request)}
          rows={shown}
          dayOf={request.query('sort') === '' || isUnsorted ? list.dayOf : undefined}
          sorting={sortingOf(request, list, isUnsorted)}
          empty={total === 0 ? list.empty : <NothingFits />}
        />
        {total === 0 && isEmpty(request.world) && <EmptyWorld />}
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

const idOf = ({ label }: { readonly label: string }): string =>
  `list-${label.toLowerCase().replaceAll(' ', '-')}`;

/** What of a search is not understood. */
function searchTroubles(request: InspectorRequest, fields: readonly string[]): readonly string[] {
  const search = parseSearch(request.query('q'));
  return [
    ...unknownFields(search, fields).map(
      (name) =>
        `This list has no field ${name}. Its fields are ${fields.join(', ')}, before and after.`,
    ),
    ...misunderstood(search),
  ];
}

interface CountProps<R> {
  readonly found: number;
  readonly searched: Searched<R>;
  readonly total: number;
}

/** How many rows there are and, where not all were searched, how to search them. */
function Count<R>({ found, searched: { isCut }, total }: CountProps<R>) {
  const { here } = useRequest();
  const [some, all] = [found.toLocaleString('en'), total.toLocaleString('en')];
  if (!isCut) return <>{found === total ? `${all} in all` : `${some} of ${all}`}</>;
  return (
    <>
      {some} among the newest {MOST_SEARCHED.toLocaleString('en')} of {all}.{' '}
      <a href={here({ search: ALL_ROWS, page: undefined })}>Search all</a>
    </>
  );
}

/** More rows stay in their own order, as sorting them would hold up others. */
const MOST_SORTED = 20_000;
const UNSORTED = `More than ${MOST_SORTED.toLocaleString('en')} rows are not sorted but listed newest first. Narrow the search to sort.`;

/** The rows in the order of the column that was asked for. */
function inOrder<R>(rows: readonly R[], { request, list }: ListingProps<R>): readonly R[] {
  const { column, isAscending } = wantedOrder(request);
  const order = Object.hasOwn(list.orders ?? {}, column) ? list.orders?.[column] : undefined;
  if (!order || rows.length > MOST_SORTED) return rows;
  const keyed = rows.map((row) => [order(row, request), row] as const);
  const sign = isAscending ? -1 : 1;
  keyed.sort(([left], [right]) => (left < right ? -sign : left > right ? sign : 0));
  return keyed.map(([, row]) => row);
}

function wantedOrder(request: InspectorRequest) {
  const text = request.query('sort');
  return { column: text.replace(/^-/, ''), isAscending: !text.startsWith('-') };
}

/** Headings lead to their order, and once more to its reverse. */
function sortingOf<R>(
  request: InspectorRequest,
  { orders = {} }: List<R>,
  isUnsorted: boolean,
): Sorting {
  const { column, isAscending } = wantedOrder(request);
  return {
    column: isUnsorted ? '' : column,
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

function select<R>(found: readonly R[], request: InspectorRequest) {
  const { page, pages } = pageOf(found.length, PAGE_SIZE, request.query('page'));
  const end = found.length - (page - 1) * PAGE_SIZE;
  const shown = found.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
  return { shown, count: found.length, page, pages };
}
