import { EXIT, type Judge, printLine } from '../serving.ts';
import type { LostRequest, Traffic } from '../traffic.ts';
import type { TrafficJudge } from './judge.ts';

/** The maximum number of exchanges that wait for validation. Further ones are forwarded without it, and counted. */
const MAX_WAITING = 1_000;

interface Options {
  /** Whether response fields that the document does not declare are findings. */
  readonly isClosed: boolean;
  /** Whether refuted assumptions fail the run. */
  readonly insists: boolean;
}

/** Validates exchanges by the interface document, one after the other, and prints a line for each finding. */
export class DocumentJudge implements Judge {
  readonly #counts = {
    ...{ requests: 0, judged: 0, violations: 0, refuted: 0, unjudged: 0, unreachable: 0 },
  };
  #judge: Promise<TrafficJudge> | undefined;
  #latest = Promise.resolve();
  #waiting = 0;

  constructor(private readonly options: Options) {}

  onTraffic(traffic: Traffic): void {
    this.#counts.requests += 1;
    const ordinal = this.#counts.requests;
    if (this.#waiting >= MAX_WAITING) {
      this.#leaveOut(ordinal, 'too many requests were waiting');
      return;
    }
    this.#waiting += 1;
    this.#latest = this.#latest
      .then(() => this.#look(traffic, ordinal))
      .catch((error: Error) => this.#leaveOut(ordinal, `it could not be validated: ${error.name}`))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  onLost({ method, reason }: LostRequest): void {
    this.#counts.requests += 1;
    this.#counts.unreachable += 1;
    const ordinal = this.#counts.requests;
    printLine({ kind: 'unreachable', ordinal, method, reason });
  }

  async end(): Promise<number> {
    await this.#latest;
    const { violations, refuted, unreachable } = this.#counts;
    printLine({ kind: 'end', ...this.#counts });
    if (violations > 0 || (this.options.insists && refuted > 0)) return EXIT.failure;
    return unreachable > 0 ? EXIT.unreachable : 0;
  }

  async #look(traffic: Traffic, ordinal: number): Promise<void> {
    this.#judge ??= import('./judge.ts').then((judging) =>
      judging.createTrafficJudge(this.options.isClosed),
    );
    const { findings, unjudged } = await (await this.#judge).judge(traffic);
    for (const { kind, ...finding } of findings) {
      this.#counts[kind === 'violation' ? 'violations' : 'refuted'] += 1;
      printLine({ kind, ordinal, ...finding });
    }
    if (unjudged === undefined) this.#counts.judged += 1;
    else this.#leaveOut(ordinal, unjudged);
  }

  #leaveOut(ordinal: number, reason: string): void {
    this.#counts.unjudged += 1;
    printLine({ kind: 'unjudged', ordinal, reason });
  }
}
