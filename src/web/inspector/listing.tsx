import type { ComponentChildren, VNode } from 'preact';
import { inSlices } from '../../state/resumable.ts';
import type { PageAnswer } from '../answer.ts';
import { type Columns, DataTable, type Sorting } from '../data-table.tsx';
import { Alert, PageLinks, pageOf, Section } from '../parts.tsx';
import { InspectorPage, Live } from './frame.tsx';
import { type InspectorRequest, type PageStep, useRequest } from './inspector-request.ts';
import { Downloads, downloadOf } from './listing-download.tsx';
import { ALL_ROWS, type Narrowed, type Searched, searching } from './search/listing-search.ts';
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

/** A page with a list: what can be searched in it, and what it shows. */
export interface List<R extends object> {
  readonly section: InspectorSection;
  /** What the list is called on a page that shows more. */
  readonly title?: string;
  readonly label: string;
  /** Oldest first; shown newest first. */
  readonly rows: (request: InspectorRequest) => readonly R[];
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

/** A list as a request asks for it. */
interface Listing<R extends object> extends Searched<R> {
  readonly list: List<R>;
  readonly rows: readonly R[];
  /** The rows of the page that is asked for. */
  readonly shown: readonly R[];
  readonly page: number;
  readonly pages: number;
  /** Whether too many were found to put them in the order that is asked for. */
  readonly isUnsorted: boolean;
}

/** A page whose main part is a list, or that list as a file. */
export function listPage<R extends object>(list: List<R>): PageStep {
  return async (request) => {
    const listing = await readListing(list, request);
    const file = fileOf(listing, request);
    if (file) return file;
    const { rows } = listing;
    return (
      <InspectorPage request={request} section={list.section}>
        {list.before?.()}
        {list.title === undefined ? (
          <ListView {...listing} />
        ) : (
          <Section id="listed" title={list.title}>
            <ListView {...listing} />
          </Section>
        )}
        {rows.length > 0 && <Downloads files={list.files ?? {}} />}
        {list.after?.(rows)}
      </InspectorPage>
    );
  };
}

/** The file that a request asks for: of all rows that were found, or of those that its page shows. */
function fileOf<R extends object>({ list, found, shown }: Listing<R>, request: InspectorRequest) {
  const { columns, files = {}, kept = (row) => row } = list;
  const format = request.query('format');
  const file = Object.hasOwn(files, format) ? files[format] : undefined;
  if (!file) return downloadOf(request, shown, columns(request), kept);
  return found.length > 0 ? file.write(found, request) : undefined;
}

const PAGE_SIZE = 50;

/** Searches a list in slices, sorts what is found and takes the page of it that is asked for. */
export async function readListing<R extends object>(
  list: List<R>,
  request: InspectorRequest,
): Promise<Listing<R>> {
  const rows = list.rows(request);
  const searched = await inSlices(searching({ request, list, rows }));
  const { length } = searched.found;
  const isUnsorted = request.query('sort') !== '' && length > MOST_SORTED;
  const sorted = isUnsorted ? searched.found : inOrder(searched.found, list, request);
  const { page, pages } = pageOf(length, PAGE_SIZE, request.query('page'));
  const end = length - (page - 1) * PAGE_SIZE;
  const shown = sorted.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
  return { ...searched, list, rows, shown, page, pages, isUnsorted };
}

/** A list with its search, page by page. */
export function ListView<R extends object>(props: Listing<R>) {
  const { list, rows, found, shown, page, pages, isUnsorted } = props;
  const request = useRequest();
  const fields = Object.keys(list.fields);
  const troubles = [...searchTroubles(request, fields), ...(isUnsorted ? [UNSORTED] : [])];
  const isSearched = rows.length > 0 || request.query('q') !== '';
  return (
    <>
      {isSearched && <SearchBox path={list.section} fields={fields} />}
      {isSearched && list.chips && <Chips chips={list.chips} />}
      {troubles.length > 0 && <Alert text={troubles.join(' ')} />}
      <Live id={idOf(list)} total={found.length}>
        <p role="status" class={isSearched ? undefined : 'hidden'} data-testid="count">
          <Count {...props} />
          {list.note !== undefined && <small class="muted"> {list.note}</small>}
        </p>
        <DataTable
          label={list.label}
          columns={list.columns(request)}
          rows={shown}
          dayOf={request.query('sort') === '' || isUnsorted ? list.dayOf : undefined}
          sorting={sortingOf(request, list, isUnsorted)}
          empty={rows.length === 0 ? list.empty : <NothingFits />}
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

/** How many rows there are and, where not all were searched, how to search them. */
function Count<R extends object>({ found, isCut, rows }: Listing<R>) {
  const { here } = useRequest();
  const [some, all] = [found.length.toLocaleString('en'), rows.length.toLocaleString('en')];
  if (!isCut) return <>{some === all ? `${all} in all` : `${some} of ${all}`}</>;
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

/** Headings lead to their order, and once more to its reverse. */
function sortingOf<R extends object>(
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
