import type { ComponentChildren, VNode } from 'preact';
import { Alert, DataTable } from '../sections.tsx';
import { Live } from './frame.tsx';
import type { InspectorRequest } from './inspector-request.ts';
import { compileSearch, parseSearch, type Subject, unknownFields } from './search.ts';

export interface ListingProps<R> {
  readonly request: InspectorRequest;
  /** Path of the page that the list stands on. */
  readonly path: string;
  readonly label: string;
  /** Oldest first; shown newest first. */
  readonly rows: readonly R[];
  /** Fields that a search may name. */
  readonly fields: readonly string[];
  readonly subjectOf: (row: R) => Subject;
  readonly headings: readonly string[];
  readonly cells: (row: R) => readonly ComponentChildren[];
  /** What stands in place of an empty list. */
  readonly empty: string;
}

const PAGE_SIZE = 50;

/** A list with its search, page by page. */
export function Listing<R>(props: ListingProps<R>): VNode {
  const { request, path, label, fields, headings, cells } = props;
  const text = request.query('q');
  const strange = unknownFields(parseSearch(text), fields);
  const { shown, count, page, pages } = select(props, text);
  return (
    <>
      <SearchBox request={request} path={path} fields={fields} />
      {strange.length > 0 && (
        <Alert
          text={`This list has no field ${strange.join(', ')}. It has ${fields.join(', ')}, before and after.`}
        />
      )}
      <Live request={request} id={`list-${label.toLowerCase().replaceAll(' ', '-')}`}>
        <p role="status" data-testid="count">
          {countText(count, props.rows.length)}
        </p>
        {count === 0 ? (
          <p>{props.rows.length === 0 ? props.empty : 'Nothing fits the search.'}</p>
        ) : (
          <DataTable label={label} headings={headings}>
            {shown.map((row, place) => (
              <tr key={place}>
                {cells(row).map((cell, column) => (
                  <td key={headings[column]} class={classOf(headings[column])}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </DataTable>
        )}
        <Pages request={request} path={path} page={page} pages={pages} />
      </Live>
    </>
  );
}

const classOf = (heading: string | undefined): string | undefined =>
  heading?.startsWith('#') ? 'number' : undefined;

function countText(count: number, total: number): string {
  const all = total.toLocaleString('en');
  return count === total ? `${all} in all` : `${count.toLocaleString('en')} of ${all}`;
}

function select<R>({ request, rows, subjectOf }: ListingProps<R>, text: string) {
  const search = parseSearch(text);
  const fits = compileSearch(search);
  const found = search.terms.length === 0 ? rows : rows.filter((row) => fits(subjectOf(row)));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(Number(request.query('page'))) || 1), pages);
  const end = found.length - (page - 1) * PAGE_SIZE;
  const shown = found.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
  return { shown, count: found.length, page, pages };
}

function SearchBox({
  request,
  path,
  fields,
}: Pick<ListingProps<unknown>, 'request' | 'path' | 'fields'>): VNode {
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
          <button type="submit">Search</button>
        </div>
        <small id="search-hint">
          Free words, and <code>{fields.map((field) => `${field}:`).join(' ')} before: after:</code>
          .<code>*</code> stands for any text, <code>-</code> in front excludes.
        </small>
      </form>
    </search>
  );
}

interface PagesProps {
  readonly request: InspectorRequest;
  readonly path: string;
  readonly page: number;
  readonly pages: number;
}

function Pages({ request, path, page, pages }: PagesProps): VNode | null {
  if (pages === 1) return null;
  const to = (number: number) => request.link(path, { q: request.query('q'), page: number });
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a href={to(page - 1)} rel="prev">
          Newer
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
