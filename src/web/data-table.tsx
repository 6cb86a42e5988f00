import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Amount, type AmountProps, placesOf } from './amount.tsx';
import { ScrollArea, Section } from './parts.tsx';
import { SurroundingsContext } from './surroundings.ts';
import { dayIn } from './time.tsx';
import { dayText } from './wording.ts';

/**
 * What a table shows of each row, by the heading of the column. A `#` before a heading aligns its figures. On a
 * phone the first column, and one with `^`, stand on top of the card of a row.
 */
export type Columns<R> = Readonly<Record<string, (row: R, place: number) => ComponentChildren>>;

/** How a table can be put in another order by its headings. */
export interface Sorting {
  readonly column: string;
  readonly isAscending: boolean;
  /** The address of the same list in the order of a column; undefined where it has none. */
  readonly to: (column: string) => string | undefined;
}

interface DataTableProps<R> {
  readonly label: string;
  readonly columns: Columns<R>;
  readonly rows: readonly R[];
  /** So many rows at most are shown. */
  readonly most?: number;
  /** How many rows there are, where `rows` are the first of them. */
  readonly total?: number;
  /** What stands in place of a table without rows. */
  readonly empty?: ComponentChildren;
  /** Rows that stand out. */
  readonly isMarked?: (row: R) => boolean;
  /** Of each row. */
  readonly testId?: string | ((row: R) => string);
  /** When a row came about, where each day has a row above its own, unless most days have one or two. */
  readonly dayOf?: ((row: R) => string) | undefined;
  readonly sorting?: Sorting | undefined;
}

interface TableSectionProps<R> extends Omit<DataTableProps<R>, 'label'> {
  readonly id: string;
  readonly title: string;
  /** What the table is called where that is not the heading. */
  readonly label?: string;
  /** Whether the part is a landmark of its page too. */
  readonly isLandmark?: boolean;
  /** What stands below the table. */
  readonly children?: ComponentChildren;
}

/** A part of a page that is one table under a heading. */
export function TableSection<R>(props: TableSectionProps<R>) {
  const { id, title, label = title, isLandmark = false, children, ...table } = props;
  return (
    <Section id={id} title={title} isLandmark={isLandmark}>
      <DataTable {...table} label={label} />
      {children}
    </Section>
  );
}

/** A table, each row of which is a card on a phone; or what stands in its place. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, columns, rows, most = Infinity, total = rows.length, empty, sorting } = props;
  if (rows.length === 0 && empty !== undefined) return <p class="muted">{empty}</p>;
  const shown = rows.slice(0, most);
  const cells = shown.map((row, place) => Object.values(columns).map((cell) => cell(row, place)));
  const heads = Object.keys(columns).map((name, place) => ({
    name: name.replace(/^[#^]+/, ''),
    style: styleOf(name, place, cells),
  }));
  return (
    <>
      <ScrollArea label={label}>
        <table>
          <thead>
            <tr>
              {heads.map(({ name, style }) => (
                <Heading key={name} name={name} style={style} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Rows {...props} rows={shown} cells={cells} heads={heads} />
          </tbody>
        </table>
      </ScrollArea>
      <Shown count={shown.length} total={total} />
    </>
  );
}

interface Head {
  readonly name: string;
  readonly style: string | undefined;
}

type Cells = readonly (readonly ComponentChildren[])[];

/** Classes of a column: how it is aligned, and where it stands in a card. */
function styleOf(name: string, place: number, cells: Cells): string | undefined {
  const amounts = cells.map((row) => row[place]).filter(isAmount);
  const classes = [
    /^\^?#/.test(name) && 'number',
    place === 0 && 'first',
    name.startsWith('^') && 'end',
    placesOf(amounts.map(({ props }) => props)),
  ];
  return classes.filter(Boolean).join(' ') || undefined;
}

const isAmount = (cell: ComponentChildren): cell is VNode<AmountProps> =>
  isValidElement(cell) && cell.type === Amount;

interface HeadingProps extends Head {
  readonly sorting: Sorting | undefined;
}

function Heading({ name, style, sorting }: HeadingProps) {
  const to = sorting?.to(name);
  const order = sorting?.isAscending ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      class={style?.includes('number') ? 'number' : undefined}
      aria-sort={to !== undefined && sorting?.column === name ? order : undefined}
    >
      {to === undefined ? name : <a href={to}>{name}</a>}
    </th>
  );
}

interface RowsProps<R> extends Pick<DataTableProps<R>, 'rows' | 'dayOf' | 'testId' | 'isMarked'> {
  readonly cells: Cells;
  readonly heads: readonly Head[];
}

function Rows<R>({ rows, cells, heads, dayOf, testId, isMarked }: RowsProps<R>) {
  const surroundings = useContext(SurroundingsContext);
  const days = rows.map((row) => dayOf && dayIn(dayOf(row), surroundings.zone));
  // A row of its own for the date of hardly more than one row would make a list twice as long.
  const isByDay = dayOf !== undefined && rows.length >= LEAST_OF_A_DAY * new Set(days).size;
  return (
    <SurroundingsContext.Provider value={{ ...surroundings, isByDay }}>
      {cells.map((row, place) => {
        const day = days[place];
        const isNewDay = isByDay && day !== undefined && day !== days[place - 1];
        return (
          <>
            {isNewDay && (
              <tr class="day">
                <th scope="rowgroup" colSpan={heads.length}>
                  <time dateTime={day}>{dayText(day)}</time>
                </th>
              </tr>
            )}
            <tr
              key={place}
              class={isMarked?.(rows[place] as R) ? 'marked' : undefined}
              data-testid={typeof testId === 'function' ? testId(rows[place] as R) : testId}
            >
              {row.map((cell, column) => (
                <td
                  key={heads[column]?.name}
                  class={heads[column]?.style}
                  data-name={heads[column]?.name}
                >
                  {cell}
                </td>
              ))}
            </tr>
          </>
        );
      })}
    </SurroundingsContext.Provider>
  );
}

const LEAST_OF_A_DAY = 3;

interface ShownProps {
  readonly count: number;
  readonly total: number;
}

/** How many of something are shown, where that is not all. */
export function Shown({ count, total }: ShownProps) {
  if (count >= total) return null;
  return (
    <p class="muted">
      The first {count} of {total}.
    </p>
  );
}
