import type { Instant } from '../domain/instant.ts';
import type { ClockMode } from '../store/clock.ts';
import type { ScheduledAttempt } from '../webhooks/scheduled-attempts.ts';
import type { DoneJob } from './due.ts';

/** The result of an advance. */
export interface Advance {
  readonly from: Instant;
  readonly now: Instant;
  readonly mode_before: ClockMode;
  readonly mode: ClockMode;
  /** The first due items that ran, in order. */
  readonly steps: readonly (DoneJob | ScheduledAttempt)[];
  /** The number of due items that ran. */
  readonly count: number;
}

/** The maximum number of due items in the response to an advance. */
const MAX_STEPS = 1_000;

/** Records what an advance does; only the first steps are kept. */
export class AdvanceLog {
  readonly #steps: (DoneJob | ScheduledAttempt)[] = [];
  #count = 0;
  /** The mode afterwards: an advanced clock no longer shows the real time. */
  readonly mode: ClockMode;

  constructor(
    private readonly from: Instant,
    private readonly before: ClockMode,
  ) {
    this.mode = before === 'real' ? 'offset' : before;
  }

  readonly note = (step: DoneJob | ScheduledAttempt): true => {
    this.#count += 1;
    if (this.#steps.length < MAX_STEPS) this.#steps.push(step);
    return true;
  };

  close(now: Instant): Advance {
    const { from, before, mode } = this;
    return { from, now, mode_before: before, mode, steps: this.#steps, count: this.#count };
  }
}
