import { digitsOf, type ExactValue, isList, isObject } from '../../../kit/exact-json.ts';
import { specifiedStatuses } from '../../../kit/layers.ts';
import { allOperations } from '../../../kit/operations.ts';
import { createRedactor, isSecretField, type Redactor } from '../../../kit/target/redact.ts';
import { declaredInDocument } from '../../declared-names.ts';
import type { ResponseDifference } from '../compare.ts';
import type { TwinExchange } from '../exchange.ts';
import { formOf, isInstant } from '../id-map.ts';
import { CauseFinder, type FiledDifference } from './causes.ts';

export type TwinSummary = ReturnType<TwinReport['summary']>;

/** Collects the results of a comparison. */
export class TwinReport {
  readonly #causes = new CauseFinder();
  /** The number of compared responses by operation and status, such as `getCustomer 200`. */
  readonly #cells: Record<string, number> = {};
  /** Requests that were not compared, by the reason. */
  readonly #leftOut: Record<string, number> = {};
  readonly #redactor: Redactor = createRedactor([]);
  /** `contended` differences are of parallel writes, whose order is unknown; `lost` requests had no response. */
  readonly #counts = { requests: 0, compared: 0, differences: 0, contended: 0, lost: 0 };

  /** @param print called with each difference as it is found */
  constructor(
    private readonly showsValues: boolean,
    private readonly print: (line: object) => void,
  ) {}

  came({ key, traffic }: TwinExchange): void {
    this.#counts.requests += 1;
    if (!this.showsValues) return;
    this.#redactor.learn(key);
    this.#redactor.learn(traffic.requestHeaders.authorization);
  }

  compared({ operation, answer }: TwinExchange): void {
    this.#counts.compared += 1;
    if (!operation || !answer) return;
    const cell = `${operation.id} ${answer.status}`;
    this.#cells[cell] = (this.#cells[cell] ?? 0) + 1;
  }

  /** Adds a request that was not compared, with the reason. */
  leftOut(exchange: TwinExchange, reason: string): void {
    const { ordinal, operation } = exchange;
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
    this.print({ kind: 'left out', ordinal, operation: operation?.id ?? null, reason });
  }

  lost(method: string, reason: string): void {
    this.#counts.requests += 1;
    this.#counts.lost += 1;
    this.print({ kind: 'lost', method, reason });
  }

  /** Adds all differences of a response. */
  differ(found: readonly FiledDifference[], isContended: boolean): void {
    for (const { kind: what, ...line } of found.map(({ shown }) => shown))
      this.print({ kind: 'difference', what, ...line });
    this.#counts.differences += found.length;
    if (isContended) this.#counts.contended += found.length;
    else this.#causes.file(found);
  }

  /** The values of a difference as text that is safe to share. */
  show({ kind, at, upstream, emulator }: ResponseDifference) {
    const redactor = this.showsValues || kind === 'status' ? this.#redactor : undefined;
    const show = (value: ExactValue | undefined) => showValue(value, at.at(-1) ?? '', redactor);
    return { upstream: show(upstream), emulator: show(emulator) };
  }

  summary() {
    const causes = this.#causes.read();
    const leftOut = { ...this.#leftOut };
    for (const { cause, count, followers } of causes)
      if (count === 0) leftOut[`it differs after another was not compared: ${cause}`] = followers;
    return {
      ...this.#counts,
      causes: causes.filter(({ count }) => count > 0),
      leftOut,
      coverage: coverageOf(this.#cells),
    };
  }
}

/** How many of the operations and of their statuses in the document the traffic touched. */
function coverageOf(cells: Readonly<Record<string, number>>) {
  const all = allOperations();
  const known = all.flatMap((one) => specifiedStatuses(one).map((status) => `${one.id} ${status}`));
  const operations = new Set(Object.keys(cells).map((cell) => cell.split(' ')[0]));
  const statuses = known.filter((cell) => cell in cells);
  return {
    operations: { touched: operations.size, total: all.length },
    statuses: { touched: statuses.length, total: known.length },
    cells,
  };
}

/** The longest value that is shown. */
const LONGEST = 200;

/** Any URL, because it can grant access to whoever has it. */
const LINK = /https?:\/\/[^\s"'<>]+/gi;

/**
 * Turns a value into text without personal data: only its form, or with consent the value without secrets.
 *
 * @param field the name of the field that holds it
 */
function showValue(
  value: ExactValue | undefined,
  field: string,
  redactor: Redactor | undefined,
): string {
  if (value === undefined) return 'nothing';
  if (!redactor || isSecretField(field)) return outlineOf(value);
  const text = redactor.text(JSON.stringify(plain(value))).replaceAll(LINK, '‹redacted link›');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The form of a value without its content. Enum values of the document, booleans and null are shown. */
function outlineOf(value: ExactValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  const digits = digitsOf(value);
  if (digits !== undefined) return /^-?\d+$/.test(digits) ? 'integer' : 'decimal';
  if (isList(value)) return `list(${value.length})`;
  if (isObject(value)) return 'object';
  if (isInstant(value)) return 'instant';
  if (declaredInDocument().words.has(value)) return value;
  const form = formOf(value);
  if (form === 'id') return `id(${value.slice(0, value.indexOf('_'))})`;
  return form ?? `string(${value.length})`;
}

function plain(value: ExactValue): unknown {
  const digits = digitsOf(value);
  if (digits !== undefined) return Number(digits);
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretField(name) ? '‹redacted›' : plain(inner),
    ]),
  );
}
