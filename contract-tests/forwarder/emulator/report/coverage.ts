import { specifiedStatuses } from '../../../kit/layers.ts';
import { allOperations } from '../../../kit/operations.ts';
import type { TwinExchange } from '../exchange.ts';

/** The number of items that the traffic touched, of all in the document. */
interface Share {
  readonly touched: number;
  readonly total: number;
}

export interface TwinCoverage {
  readonly operations: Share;
  /** Pairs of operation and status. */
  readonly statuses: Share;
  /** The number of responses by operation and status, such as `getCustomer 200`. */
  readonly cells: Readonly<Record<string, number>>;
}

export class CoverageCounter {
  readonly #cells: Record<string, number> = {};

  count({ operation, answer }: TwinExchange): void {
    if (!operation || !answer) return;
    const cell = `${operation.id} ${answer.status}`;
    this.#cells[cell] = (this.#cells[cell] ?? 0) + 1;
  }

  read(): TwinCoverage {
    const all = allOperations();
    const cells = all.flatMap((one) =>
      specifiedStatuses(one).map((status) => `${one.id} ${status}`),
    );
    const operations = new Set(Object.keys(this.#cells).map((cell) => cell.split(' ')[0]));
    const statuses = cells.filter((cell) => cell in this.#cells);
    return {
      operations: { touched: operations.size, total: all.length },
      statuses: { touched: statuses.length, total: cells.length },
      cells: this.#cells,
    };
  }
}
