import { fieldsOf } from '../../kit/answer-fields.ts';
import { layers, specifiedStatuses } from '../../kit/layers.ts';
import { allOperations } from '../../kit/operations.ts';
import { type ExactValue, isList, isObject } from '../exact-value.ts';
import type { TwinExchange } from '../exchange.ts';

/** The number of items that the traffic touched, of all in the document. */
export interface Share {
  readonly touched: number;
  readonly total: number;
}

export interface TwinCoverage {
  readonly operations: Share;
  /** Pairs of operation and status. */
  readonly statuses: Share;
  /** Response fields, by operation. */
  readonly fields: Share;
  /** The number of responses by operation and status, such as `getCustomer 200`. */
  readonly cells: Readonly<Record<string, number>>;
}

export class CoverageCounter {
  readonly #cells: Record<string, number> = {};
  readonly #fields = new Set<string>();

  count({ operation, answer }: TwinExchange): void {
    if (!operation || !answer) return;
    const cell = `${operation.id} ${answer.status}`;
    this.#cells[cell] = (this.#cells[cell] ?? 0) + 1;
    if (answer.status < 300)
      for (const place of placesIn(answer.body)) this.#fields.add(`${operation.id} ${place}`);
  }

  read(): TwinCoverage {
    const all = allOperations();
    const cells = all.flatMap((one) =>
      specifiedStatuses(one).map((status) => `${one.id} ${status}`),
    );
    const fields = declaredFields();
    const operations = new Set(Object.keys(this.#cells).map((cell) => cell.split(' ')[0]));
    return {
      operations: { touched: operations.size, total: all.length },
      statuses: {
        touched: cells.filter((cell) => cell in this.#cells).length,
        total: cells.length,
      },
      fields: {
        touched: fields.filter((field) => this.#fields.has(field)).length,
        total: fields.length,
      },
      cells: this.#cells,
    };
  }
}

function declaredFields(): readonly string[] {
  const { json } = layers().closed;
  const fields = allOperations().flatMap(({ id, replies }) =>
    [...replies].flatMap(([status, pointer]) =>
      status < 300 && pointer
        ? fieldsOf(json, { $ref: pointer }).map(({ path }) => `${id} ${path.join('.')}`)
        : [],
    ),
  );
  return [...new Set(fields)];
}

/** Every field path of a value, such as `items.*.name`. */
function* placesIn(
  value: ExactValue | undefined,
  place: readonly string[] = [],
): Generator<string> {
  if (isList(value)) for (const item of value) yield* placesIn(item, [...place, '*']);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      yield [...place, name].join('.');
      yield* placesIn(inner, [...place, name]);
    }
}
