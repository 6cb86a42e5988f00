import type { Instant } from '../domain/instant.ts';
import type { ClockMode } from '../state/clock.ts';
import type { ScheduledAttempt } from '../webhooks/scheduled-attempts.ts';
import type { DoneJob } from './due.ts';

/** What happened on the way to an instant. */
export interface Advance {
  readonly from: Instant;
  readonly now: Instant;
  readonly mode_before: ClockMode;
  readonly mode: ClockMode;
  /** The first due items that were done, in order. */
  readonly steps: readonly (DoneJob | ScheduledAttempt)[];
  /** How many were done in all. */
  readonly count: number;
}

/** How many due items the answer to one advance lists. */
const MOST_STEPS = 1_000;

/** Takes note of what happens on the way, as far as it is told. */
export class AdvanceLog {
  readonly #steps: (DoneJob | ScheduledAttempt)[] = [];
  #count = 0;
  /** The mode afterwards: a clock that was advanced no longer shows the real time. */
  readonly mode: ClockMode;

  constructor(
    private readonly from: Instant,
    private readonly before: ClockMode,
  ) {
    this.mode = before === 'real' ? 'offset' : before;
  }

  readonly note = (step: DoneJob | ScheduledAttempt): true => {
    this.#count += 1;
    if (this.#steps.length < MOST_STEPS) this.#steps.push(step);
    return true;
  };

  close(now: Instant): Advance {
    const { from, before, mode } = this;
    return { from, now, mode_before: before, mode, steps: this.#steps, count: this.#count };
  }
}
