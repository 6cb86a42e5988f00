import type { Comparison } from './compare.ts';
import type { TwinExchange } from './exchange.ts';
import { formOf } from './match-texts.ts';

/** The maximum size of the recording, with overhead. @units bytes */
const MAX_HELD = 64 * 1024 * 1024;
/** The size of an exchange without its bodies. @units bytes */
const OVERHEAD = 2_048;
/** The number of reads kept for each operation, status and kind of difference. */
const MAX_EXAMPLES = 20;

/**
 * The exchanges needed to repeat a comparison: everything that can have changed a world, and examples of reads.
 * Recording stops when it is full, because exchanges after a gap cannot be repeated.
 */
export class Recording {
  readonly #held = new Set<TwinExchange>();
  readonly #examples = new Map<string, number>();
  #bytes = 0;
  #leftOut = 0;
  #isFull = false;

  constructor(private readonly most = MAX_HELD) {}

  get exchanges(): readonly TwinExchange[] {
    return [...this.#held];
  }

  /** The number of exchanges that came after it was full. */
  get leftOut(): number {
    return this.#leftOut;
  }

  add(exchange: TwinExchange): void {
    if (exchange.isOwn && !exchange.isWrite) return;
    this.#isFull ||= this.#bytes + sizeOf(exchange) > this.most;
    if (this.#isFull) this.#leftOut += 1;
    else this.#held.add(exchange);
    if (!this.#isFull) this.#bytes += sizeOf(exchange);
  }

  /** Drops a read when there are enough examples like it. @param comparison undefined when it was left out */
  judged(exchange: TwinExchange, comparison?: Comparison): void {
    const { differences = [], learned = [] } = comparison ?? {};
    if (exchange.isWrite || learned.some(([id]) => formOf(id) !== undefined)) return;
    const places = comparison
      ? differences.map(({ at, kind }) => `${at.join('.')} ${kind}`)
      : ['-'];
    const shown = [exchange.operation?.id, exchange.answer?.status, ...places].join(' ');
    const count = (this.#examples.get(shown) ?? 0) + 1;
    this.#examples.set(shown, count);
    if (count > MAX_EXAMPLES && this.#held.delete(exchange)) this.#bytes -= sizeOf(exchange);
  }
}

const sizeOf = ({ traffic: { requestBody, responseBody } }: TwinExchange): number =>
  OVERHEAD + (requestBody?.length ?? 0) + (responseBody?.length ?? 0);
