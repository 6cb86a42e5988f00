import { plural } from 'billing-emulator/spec';
import { EXIT_CODES } from '../../kit/run/verdict.ts';
import { createRedactor, type Redactor } from '../../kit/target/redact.ts';
import { EXIT } from '../serving.ts';
import type { ResponseDifference } from './compare.ts';
import { showValue, type TwinDifference } from './difference.ts';
import type { TwinExchange } from './exchange.ts';

/** All differences at one place of an operation's responses, or that followed from one, with the first of them. */
interface TwinCause {
  /** Such as `createCustomer body.name value`. */
  readonly cause: string;
  readonly first: TwinDifference;
  count: number;
  /** The number of differences that exist because it left the two worlds different. */
  followers: number;
}

export type TwinSummary = ReturnType<TwinReport['summary']>;

/** The name of what caused a difference; the same defect has the same name. */
export const causeName = ({ follows, operation, request, kind, at }: TwinDifference): string =>
  follows ?? `${operation ?? request} ${at} ${kind}`;

/** Collects the results of a comparison. */
export class TwinReport {
  readonly #causes = new Map<string, TwinCause>();
  /** Operations of which a response was compared. */
  readonly #operations = new Set<string>();
  /** Requests that were not compared, by the reason. */
  readonly #leftOut: Record<string, number> = {};
  readonly #redactor: Redactor = createRedactor([]);
  /** `lost` requests had no response. */
  readonly #counts = { requests: 0, compared: 0, differences: 0, lost: 0 };

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

  compared({ operation }: TwinExchange): void {
    this.#counts.compared += 1;
    if (operation) this.#operations.add(operation.id);
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
  differ(found: readonly TwinDifference[]): void {
    this.#counts.differences += found.length;
    for (const difference of found) {
      const { kind: what, ...line } = difference;
      this.print({ kind: 'difference', what, ...line });
      const name = causeName(difference);
      const blank = { cause: name, first: difference, count: 0, followers: 0 };
      const cause = this.#causes.get(name) ?? blank;
      if (difference.follows === undefined) cause.count += 1;
      else cause.followers += 1;
      this.#causes.set(name, cause);
    }
  }

  /** The values of a difference as text that is safe to share. */
  show({ kind, at, upstream, emulator }: ResponseDifference) {
    const redactor = this.showsValues || kind === 'status' ? this.#redactor : undefined;
    const field = at.at(-1) ?? '';
    return {
      upstream: showValue(upstream, field, redactor),
      emulator: showValue(emulator, field, redactor),
    };
  }

  summary() {
    const causes = [...this.#causes.values()];
    const leftOut = { ...this.#leftOut };
    for (const { cause, count, followers } of causes)
      if (count === 0) leftOut[`it differs after another was not compared: ${cause}`] = followers;
    return {
      ...this.#counts,
      operations: this.#operations.size,
      causes: causes.filter(({ count }) => count > 0),
      leftOut,
    };
  }
}

/** The outcome of a comparison: its exit code, the reason as a sentence, and its causes. */
export type TwinVerdict = ReturnType<typeof verdictOf>;

/** A cause, and whether the baseline has it. */
export type ReportedCause = TwinVerdict['causes'][number];

/**
 * The exit code of a twin, with the reason as a sentence.
 *
 * @param known the names of causes of a baseline, which do not fail
 */
export function verdictOf(summary: TwinSummary, known: ReadonlySet<string>) {
  const { compared, requests, lost } = summary;
  const causes = summary.causes.map((cause) => ({ ...cause, isKnown: known.has(cause.cause) }));
  const fresh = causes.filter(({ isKnown }) => !isKnown).length;
  const end = (code: number, sentence: string) => ({ code, sentence, causes });
  if (fresh > 0) {
    const beside = known.size > 0 ? ` that the baseline does not know` : '';
    const count = plural(fresh, 'cause');
    return end(EXIT_CODES.drift, `The emulator differs from the service, by ${count}${beside}.`);
  }
  if (lost > 0)
    return end(EXIT.unreachable, `The service did not respond to ${lost} of ${requests} requests.`);
  if (compared === 0) return end(EXIT_CODES.vacuous, 'Nothing was compared.');
  if (causes.length > 0)
    return end(EXIT_CODES.met, 'The emulator differs from the service as the baseline knows.');
  return end(EXIT_CODES.met, 'The emulator responds as the service does.');
}
