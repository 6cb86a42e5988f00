import { EXIT, printLine, type TrafficObserver } from '../serving.ts';
import type { LostRequest, Traffic } from '../traffic.ts';
import type { TrafficValidator } from './traffic-validator.ts';

/** The maximum number of exchanges that wait for validation. Further ones are forwarded without it, and counted. */
const MAX_WAITING = 1_000;

/** Validates exchanges by the interface document, one after the other, and prints a line for each finding. */
export class DocumentObserver implements TrafficObserver {
  readonly #counts = {
    requests: 0,
    validated: 0,
    violations: 0,
    refuted: 0,
    unvalidated: 0,
    unreachable: 0,
  };
  #validator: Promise<TrafficValidator> | undefined;
  #latest = Promise.resolve();
  #waiting = 0;

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

  onLost({ method, reason, isOfClient }: LostRequest): void {
    if (isOfClient) return;
    this.#counts.requests += 1;
    this.#counts.unreachable += 1;
    const ordinal = this.#counts.requests;
    printLine({ kind: 'unreachable', ordinal, method, reason });
  }

  async end(): Promise<number> {
    await this.#latest;
    const { violations, unreachable } = this.#counts;
    printLine({ kind: 'end', ...this.#counts });
    if (violations > 0) return EXIT.failure;
    return unreachable > 0 ? EXIT.unreachable : 0;
  }

  async #look(traffic: Traffic, ordinal: number): Promise<void> {
    this.#validator ??= import('./traffic-validator.ts').then((loaded) =>
      loaded.createTrafficValidator(),
    );
    const { findings, unvalidated } = await (await this.#validator).validate(traffic);
    for (const { kind, ...finding } of findings) {
      this.#counts[kind === 'violation' ? 'violations' : 'refuted'] += 1;
      printLine({ kind, ordinal, ...finding });
    }
    if (unvalidated === undefined) this.#counts.validated += 1;
    else this.#leaveOut(ordinal, unvalidated);
  }

  #leaveOut(ordinal: number, reason: string): void {
    this.#counts.unvalidated += 1;
    printLine({ kind: 'unvalidated', ordinal, reason });
  }
}
