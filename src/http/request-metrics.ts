import type { Exchange } from './log/exchange.ts';

/** Upper bounds of the duration histogram. @units seconds */
export const DURATION_BOUNDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30,
];

export interface OperationTally {
  readonly statuses: Map<number, number>;
  /** Number of requests per bucket: up to each bound. The last bucket is above all bounds. */
  readonly durations: number[];
  /** @units seconds */
  seconds: number;
}

/** Counts the requests to the service by operation, when they are finished. */
export class RequestMetrics {
  readonly tallies = new Map<string, OperationTally>();

  count({ operation, rawResponse, took }: Exchange): void {
    const tally = this.#tallyOf(operation?.id ?? 'none');
    const { status } = rawResponse;
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    const seconds = took / 1_000;
    tally.seconds += seconds;
    let place = 0;
    while (seconds > (DURATION_BOUNDS[place] as number)) place += 1;
    tally.durations[place] = (tally.durations[place] ?? 0) + 1;
  }

  #tallyOf(operation: string): OperationTally {
    let tally = this.tallies.get(operation);
    if (!tally) {
      const durations = Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0);
      tally = { statuses: new Map(), durations, seconds: 0 };
      this.tallies.set(operation, tally);
    }
    return tally;
  }
}
