import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { type Day, dayOf, type Instant } from '../domain/instant.ts';
import { Amount, type AmountProps, placesOf } from './amount.tsx';
import { ScrollArea, Section } from './parts.tsx';
import { Time } from './time.tsx';
import { longDayText, numberText } from './wording.ts';

/**
 * A function for each column, by its heading, which returns the cell of a row. A `#` before the heading aligns
 * numbers. On a phone each row is a card; the first column and columns with `^` are at its top, and cells have their
 * headings beside them, except those with `~`, whose values say what they are. The cells of the first column are the
 * headers of their rows.
 */
export type Columns<R> = Readonly<Record<string, (row: R) => ComponentChildren>>;

/** The current order of a table, and the links in its headings that change it. */
export interface Sorting {
  readonly column: string;
  readonly isAscending: boolean;
  /** Returns the URL of the list sorted by a column; undefined if the column is not sortable. */
  readonly to: (column: string) => string | undefined;
}

/** The time of rows, in the column before all others. Rows are grouped by its day, unless a column sorts them. */
export interface RowTime<R> {
  readonly of: (row: R) => string;
  readonly as?: 'exact' | 'request' | 'day';
  /** The heading, if the time is not the only one of a row. */
  readonly name?: string;
  /** Returns what to show beside a day. */
  readonly aboutDay?: ((day: Day) => ComponentChildren) | undefined;
  /** Whether each row shows its date, because rows are not in the order of their times. */
  readonly isDated?: boolean;
}

interface DataTableProps<R> {
  readonly label: string;
  readonly columns: Columns<R>;
  readonly rows: readonly R[];
  /** The maximum number of rows to show. */
  readonly most?: number;
  /** The total number of rows, if `rows` has only the first of them. */
  readonly total?: number;
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChildren;
  readonly testId?: string | ((row: R) => string);
  readonly time?: RowTime<R> | undefined;
  readonly sorting?: Sorting | undefined;
}

interface TableSectionProps<R> extends Omit<DataTableProps<R>, 'label'> {
  readonly id: string;
  readonly title: string;
  /** Shown beside the title. */
  readonly aside?: ComponentChildren;
  /** Shown below the table. */
  readonly children?: ComponentChildren;
}

/** A section with a table; nothing without rows, unless it says what is shown instead. */
export function TableSection<R>(props: TableSectionProps<R>) {
  const { id, title, aside, children, ...table } = props;
  if (table.rows.length === 0 && table.empty === undefined) return null;
  return (
    <Section id={id} title={title} aside={aside}>
      <DataTable {...table} label={title} />
      {children}
    </Section>
  );
}

/** A table. On a phone each row is a card. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, rows, most = Infinity, total = rows.length, empty, time, sorting } = props;
  if (rows.length === 0 && empty !== undefined) return <p class="muted">{empty}</p>;
  const shown = rows.slice(0, most);
  const isByDay = time !== undefined && !time.isDated && !sorting?.column;
  const columns = time ? withTime(props.columns, time, !isByDay) : props.columns;
  const cells = shown.map((row) => Object.values(columns).map((cell) => cell(row)));
  const heads = Object.keys(columns).map((name, place): Head => {
    const isHeader = place === (time ? 1 : 0);
    return {
      name: name.replace(/^[~#^]+/, ''),
      isHeader,
      isNamed: !name.startsWith('~') && !(time && place === 0),
      isNumber: isNumber(name),
      style: styleOf(name, isHeader, placesOf(cells.flatMap((row) => amountsIn(row[place])))),
    };
  });
  const body = { ...props, time: isByDay ? time : undefined, rows: shown, cells, heads };
  return (
    <>
      <ScrollArea label={label}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <Heading key={head.name} head={head} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Rows {...body} />
          </tbody>
        </table>
      </ScrollArea>
      <Shown count={shown.length} total={total} />
    </>
  );
}

function withTime<R>(
  columns: Columns<R>,
  { of, as = 'exact', name = 'Time' }: RowTime<R>,
  hasDate: boolean,
): Columns<R> {
  return { [name]: (row) => <Time as={as} hasDate={hasDate} at={of(row)} />, ...columns };
}

interface Head {
  readonly name: string;
  /** Whether its cells are the headers of their rows. */
  readonly isHeader: boolean;
  /** Whether its cells have it beside them on a phone. */
  readonly isNamed: boolean;
  readonly isNumber: boolean;
  readonly style: string | undefined;
}

type Cells = readonly (readonly ComponentChildren[])[];

const isNumber = (name: string): boolean => /^[~^]?#/.test(name);

/** Returns the CSS classes of a column: its alignment, the room of its amounts, and its position in a card. */
function styleOf(name: string, isHeader: boolean, places?: number): string | undefined {
  const classes = [
    isNumber(name) && 'number',
    isNumber(name) && places !== undefined && `places-${places}`,
    isHeader && 'first',
    name.startsWith('^') && 'end',
  ];
  return classes.filter(Boolean).join(' ') || undefined;
}

/** The amounts that a cell shows, also those below each other. */
function amountsIn(cell: ComponentChildren): readonly AmountProps[] {
  if (Array.isArray(cell)) return cell.flatMap(amountsIn);
  if (!isValidElement(cell)) return [];
  const { type, props } = cell as VNode<AmountProps & { readonly children?: ComponentChildren }>;
  return type === Amount ? [props] : amountsIn(props.children);
}

interface HeadingProps {
  readonly head: Head;
  readonly sorting: Sorting | undefined;
}

function Heading({ head: { name, isNumber }, sorting }: HeadingProps) {
  const to = sorting?.to(name);
  const order = sorting?.isAscending ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={to !== undefined && sorting?.column === name ? order : undefined}
    >
      {to === undefined ? name : <a href={to}>{name}</a>}
    </th>
  );
}

interface RowsProps<R> extends Pick<DataTableProps<R>, 'rows' | 'testId'> {
  readonly cells: Cells;
  readonly heads: readonly Head[];
  /** By whose days the rows are grouped, if they are. */
  readonly time: RowTime<R> | undefined;
}

function Rows<R>({ rows, cells, heads, time, testId }: RowsProps<R>) {
  const days = rows.map((row) => time && dayOf(time.of(row) as Instant));
  return (
    <>
      {cells.map((row, place) => {
        const day = days[place];
        const isNewDay = day !== undefined && day !== days[place - 1];
        return (
          <>
            {isNewDay && (
              <tr class="day">
                <th scope="rowgroup" colSpan={heads.length}>
                  <time dateTime={day}>{longDayText(day)}</time>
                  {time?.aboutDay && <span class="muted">{time.aboutDay(day)}</span>}
                </th>
              </tr>
            )}
            <tr
              key={place}
              data-testid={typeof testId === 'function' ? testId(rows[place] as R) : testId}
            >
              {row.map((cell, column) => (
                <Cell key={column} head={heads[column] as Head}>
                  {cell}
                </Cell>
              ))}
            </tr>
          </>
        );
      })}
    </>
  );
}

interface CellProps {
  readonly head: Head;
  readonly children: ComponentChildren;
}

function Cell({ head: { name, isHeader, isNamed, style }, children }: CellProps) {
  const Tag = isHeader ? 'th' : 'td';
  return (
    <Tag scope={isHeader ? 'row' : undefined} class={style} data-name={isNamed ? name : undefined}>
      {children}
    </Tag>
  );
}

/** States how many of the total are shown; nothing if all are shown. */
export function Shown({ count, total }: Record<'count' | 'total', number>) {
  if (count >= total) return null;
  return (
    <p class="muted">
      The first {numberText(count)} of {numberText(total)}.
    </p>
  );
}
