import { createRedactor, type Redactor } from '../../kit/target/redact.ts';
import { causeName, type TwinDifference } from '../difference.ts';
import type { ExactValue } from '../exact-value.ts';
import type { TwinExchange } from '../exchange.ts';
import { CoverageCounter, type TwinCoverage } from './coverage.ts';
import { showValue } from './shown-value.ts';

/** A difference in words that may be shared. */
export interface ShownDifference extends Omit<TwinDifference, 'upstream' | 'emulator'> {
  readonly upstream: string;
  readonly emulator: string;
}

/** What is behind some differences, with the first of them. */
export interface TwinCause {
  readonly cause: string;
  readonly first: ShownDifference;
  readonly count: number;
  /** Later differences that come of the same, as one world has what the other has not. */
  readonly followers: number;
}

export interface TwinSummary {
  readonly requests: number;
  readonly compared: number;
  readonly differences: number;
  readonly causes: readonly TwinCause[];
  /** Differences of writes that ran side by side, whose order nobody knows. */
  readonly contended: number;
  /** Requests that were not compared, by the reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Requests without an answer. */
  readonly lost: number;
  readonly coverage: TwinCoverage;
}

/** Gathers what a comparison finds. */
export class TwinReport {
  readonly #causes = new Map<
    string,
    { first: ShownDifference; count: number; followers: number }
  >();
  readonly #coverage = new CoverageCounter();
  readonly #leftOut: Record<string, number> = {};
  readonly #redactor: Redactor = createRedactor([]);
  #requests = 0;
  #compared = 0;
  #differences = 0;
  #contended = 0;
  #lost = 0;

  /** @param print told of each difference as it is found */
  constructor(
    private readonly showsValues: boolean,
    private readonly print: (line: object) => void,
  ) {}

  came({ key, traffic }: TwinExchange): void {
    this.#requests += 1;
    if (!this.showsValues) return;
    this.#redactor.learn(key);
    this.#redactor.learn(traffic.requestHeaders.authorization);
  }

  compared(exchange: TwinExchange): void {
    this.#compared += 1;
    this.#coverage.count(exchange);
  }

  leftOut({ ordinal, operation }: TwinExchange, reason: string): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
    this.print({ kind: 'left out', ordinal, operation: operation?.id ?? null, reason });
  }

  lost(method: string, reason: string): void {
    this.#requests += 1;
    this.#lost += 1;
    this.print({ kind: 'lost', method, reason });
  }

  differs(difference: TwinDifference): void {
    const { upstream, emulator, kind, follows, ...rest } = difference;
    const show = (value: ExactValue | undefined) =>
      showValue(value, this.showsValues || kind === 'status' ? this.#redactor : undefined);
    const shown = { ...rest, kind, follows, upstream: show(upstream), emulator: show(emulator) };
    const { kind: what, ...line } = shown;
    this.print({ kind: 'difference', what, ...line });
    this.#differences += 1;
    if (difference.isContended) this.#contended += 1;
    else this.#file(shown, follows ?? causeName(difference), follows !== undefined);
  }

  #file(first: ShownDifference, cause: string, isFollower: boolean): void {
    const known = this.#causes.get(cause) ?? { first, count: 0, followers: 0 };
    if (isFollower) known.followers += 1;
    else known.count += 1;
    this.#causes.set(cause, known);
  }

  summary(): TwinSummary {
    const causes = [...this.#causes].map(([cause, found]) => ({ cause, ...found }));
    const leftOut = { ...this.#leftOut };
    for (const { cause, count, followers } of causes)
      if (count === 0) leftOut[`it differs after another was not compared: ${cause}`] = followers;
    return {
      ...{ requests: this.#requests, compared: this.#compared, differences: this.#differences },
      causes: causes.filter(({ count }) => count > 0),
      ...{ contended: this.#contended, lost: this.#lost, leftOut },
      coverage: this.#coverage.read(),
    };
  }
}
