import { type IdSeries, openIdSeries } from './ids.ts';
import type { Draft, OrdinalRow } from './records.ts';
import { key } from './schema.ts';
import type { Table } from './table.ts';
import type { UndoLog } from './undo-log.ts';

/** The numbers of one kind for one owner. */
interface Numbers {
  readonly id: string;
  readonly series: IdSeries;
  /** The row that the open commit wrote, and the undo scope in which it did. */
  row?: Draft<OrdinalRow>;
  scope?: number;
}

/**
 * Numbers things of a kind for an owner, from 1. The last number is a row, which is written once for all numbers of one
 * undo scope and then changed in place: nobody else sees it before the commit ends.
 */
export class Numbering {
  readonly #byKind = new Map<string, Map<string, Numbers>>();

  constructor(
    private readonly world: readonly string[],
    private readonly ordinals: Table<OrdinalRow>,
    private readonly undoLog: Pick<UndoLog, 'scope'>,
  ) {}

  next(kind: string, owner: string): { readonly series: IdSeries; readonly ordinal: number } {
    const numbers = this.#numbersOf(kind, owner);
    if (numbers.row && numbers.scope === this.undoLog.scope) numbers.row.last += 1;
    else this.#write(numbers);
    return { series: numbers.series, ordinal: (numbers.row as OrdinalRow).last };
  }

  #write(numbers: Numbers): void {
    const { id } = numbers;
    const row = { id, seq: 0, last: (this.ordinals.get(id)?.last ?? 0) + 1 };
    this.ordinals.put(row);
    numbers.row = row;
    numbers.scope = this.undoLog.scope;
  }

  #numbersOf(kind: string, owner: string): Numbers {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, Numbers>();
    const known = ofKind.get(owner);
    if (known) return known;
    const series = openIdSeries([...this.world, owner, kind]);
    const numbers = { id: key(owner, kind), series };
    this.#byKind.set(kind, ofKind.set(owner, numbers));
    return numbers;
  }
}
