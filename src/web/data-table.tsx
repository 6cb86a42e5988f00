import type { ComponentChildren, VNode } from 'preact';
import { ScrollArea } from './parts.tsx';

/** What a table shows of each row, by the heading of the column. A `#` before a heading aligns its figures. */
export type Columns<R> = Readonly<Record<string, (row: R, place: number) => ComponentChildren>>;

interface DataTableProps<R> {
  readonly label: string;
  readonly columns: Columns<R>;
  readonly rows: readonly R[];
  /** So many rows at most are shown. */
  readonly most?: number;
  /** How many rows there are, where `rows` are the first of them. */
  readonly total?: number;
  /** What stands in place of a table without rows. */
  readonly empty?: string;
  readonly testId?: string;
}

/** A table that scrolls by itself, or what stands in its place. */
export function DataTable<R>(props: DataTableProps<R>): VNode {
  const { label, columns, rows, most = Infinity, total = rows.length, empty, testId } = props;
  if (rows.length === 0 && empty !== undefined) return <p>{empty}</p>;
  const shown = rows.slice(0, most);
  return (
    <>
      <ScrollArea label={label}>
        <table>
          <thead>
            <tr>
              {Object.keys(columns).map((heading) => (
                <th key={heading} scope="col" class={classOf(heading)}>
                  {heading.replace('#', '')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, place) => (
              <tr key={place} data-testid={testId}>
                {Object.entries(columns).map(([heading, cell]) => (
                  <td key={heading} class={classOf(heading)}>
                    {cell(row, place)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <Shown count={shown.length} total={total} />
    </>
  );
}

const classOf = (heading: string): string | undefined =>
  heading.startsWith('#') ? 'number' : undefined;

interface ShownProps {
  readonly count: number;
  readonly total: number;
}

/** How many of something are shown, where that is not all. */
export function Shown({ count, total }: ShownProps): VNode | null {
  if (count >= total) return null;
  return (
    <p>
      The first {count} of {total}.
    </p>
  );
}
