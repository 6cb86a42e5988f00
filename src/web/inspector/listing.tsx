import type { ComponentChildren, VNode } from 'preact';
import { inSlices, type Resumable } from '../../state/resumable.ts';
import { type Columns, DataTable } from '../data-table.tsx';
import { Button } from '../forms.tsx';
import { PageLinks } from '../page-links.tsx';
import { Alert } from '../parts.tsx';
import { InspectorPage, Live } from './frame.tsx';
import type { InspectorRequest, PageStep } from './inspector-request.ts';
import { compileSearch, parseSearch, type Subject, unknownFields } from './search.ts';
import type { InspectorSection } from './sections.tsx';

/** A list: what can be searched in it, and what it shows. */
export interface List<R> {
  readonly label: string;
  /** What a search may name, and what it finds there in a row. */
  readonly fields: Readonly<
    Record<string, (row: R, request: InspectorRequest) => readonly (string | undefined)[]>
  >;
  /** When a row came about. */
  readonly at?: (row: R) => string;
  /** Where free words are looked for; the whole row where absent. */
  readonly text?: (row: R, request: InspectorRequest) => string;
  readonly columns: (request: InspectorRequest) => Columns<R>;
  /** What stands in place of an empty list. */
  readonly empty: string;
}

interface ListPage<R> extends List<R> {
  readonly section: InspectorSection;
  /** Oldest first; shown newest first. */
  readonly rows: (request: InspectorRequest) => readonly R[];
  /** What stands below the list. */
  readonly after?: (request: InspectorRequest, rows: readonly R[]) => ComponentChildren;
}

/** A page whose one part is a list. */
export function listPage<R>(list: ListPage<R>): PageStep {
  return async (request) => {
    const { section } = list;
    const rows = list.rows(request);
    const listing = await makeListing({ request, path: section, list, rows });
    const page = (
      <InspectorPage request={request} section={section}>
        {listing}
        {list.after?.(request, rows)}
      </InspectorPage>
    );
    return { page };
  };
}

interface ListingProps<R> {
  readonly request: InspectorRequest;
  /** Path of the page that the list stands on. */
  readonly path: string;
  readonly list: List<R>;
  readonly rows: readonly R[];
}

const PAGE_SIZE = 50;

/** A list with its search, page by page. What is searched for is looked for in slices. */
export async function makeListing<R>(props: ListingProps<R>): Promise<VNode> {
  const { request, path, list, rows } = props;
  const total = rows.length;
  const fields = Object.keys(list.fields);
  const strange = unknownFields(parseSearch(request.query('q')), fields);
  const { shown, count, page, pages } = select(await inSlices(searching(props)), request);
  return (
    <>
      <SearchBox request={request} path={path} fields={fields} />
      {strange.length > 0 && (
        <Alert
          text={`This list has no field ${strange.join(', ')}. It has ${fields.join(', ')}, before and after.`}
        />
      )}
      <Live request={request} id={`list-${list.label.toLowerCase().replaceAll(' ', '-')}`}>
        <p role="status" data-testid="count">
          {countText(count, total)}
        </p>
        <DataTable
          label={list.label}
          columns={list.columns(request)}
          rows={shown}
          empty={total === 0 ? list.empty : 'Nothing fits the search.'}
        />
        <PageLinks
          label="Pages"
          page={page}
          pages={pages}
          to={(number) => request.link(path, { q: request.query('q'), page: number })}
        />
      </Live>
    </>
  );
}

function countText(count: number, total: number): string {
  const all = total.toLocaleString('en');
  return count === total ? `${all} in all` : `${count.toLocaleString('en')} of ${all}`;
}

/** The rows that fit the search, of those that are there when it begins. */
function* searching<R>({ request, list, rows }: ListingProps<R>): Resumable<readonly R[]> {
  const search = parseSearch(request.query('q'));
  if (search.terms.length === 0) return rows;
  const fits = compileSearch(search);
  const found: R[] = [];
  for (const row of [...rows]) {
    if (fits(subjectOf(list, row, request))) found.push(row);
    yield;
  }
  return found;
}

function select<R>(found: readonly R[], request: InspectorRequest) {
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(Number(request.query('page'))) || 1), pages);
  const end = found.length - (page - 1) * PAGE_SIZE;
  const shown = found.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
  return { shown, count: found.length, page, pages };
}

function subjectOf<R>({ fields, at, text }: List<R>, row: R, request: InspectorRequest): Subject {
  const values = Object.entries(fields).map(([name, valuesOf]) => [name, valuesOf(row, request)]);
  return {
    at: at?.(row),
    fields: Object.fromEntries(values),
    text: () => text?.(row, request) ?? JSON.stringify(row),
  };
}

type SearchBoxProps = Pick<ListingProps<unknown>, 'request' | 'path'> & {
  readonly fields: readonly string[];
};

function SearchBox({ request, path, fields }: SearchBoxProps): VNode {
  return (
    <search>
      <form method="get" action={request.link(path)}>
        <input type="hidden" name="key" value={request.key} />
        {/* biome-ignore lint/a11y/useSemanticElements: A fieldset would not join the two in one line. */}
        <div role="group">
          <input
            type="search"
            name="q"
            value={request.query('q')}
            aria-label="Search"
            aria-describedby="search-hint"
          />
          <Button>Search</Button>
        </div>
        <small id="search-hint">
          Free words, and <code>{fields.map((field) => `${field}:`).join(' ')} before: after:</code>
          .<code>*</code> stands for any text, <code>-</code> in front excludes.
        </small>
      </form>
    </search>
  );
}
