import { currentCheckRun } from '../check-run.ts';
import { Untestable } from '../outcome.ts';
import { now } from './names.ts';
import { currentSession } from './session.ts';

/**
 * Repeats `look` until its result is good or the time is over, for effects that can follow a response. Returns the last
 * result either way, so that the check can report it.
 */
export async function eventually<T>(
  look: () => Promise<T>,
  isGood: (seen: T) => boolean,
  withinMs = 15_000,
): Promise<T> {
  const { target, waitFactor } = currentSession().plan;
  const isOurs = target.kind === 'ours';
  const end = Date.now() + withinMs * waitFactor;
  let wait = isOurs ? 20 : 500;
  for (;;) {
    currentCheckRun()?.agreement.changed();
    const seen = await look();
    if (isGood(seen) || Date.now() + wait > end) return seen;
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, isOurs ? 80 : 5_000);
  }
}

/** The first and the longest lead time, and the tolerance for the target's clock, in milliseconds. */
const LEADS = {
  ours: { first: 500, most: 64_000, margin: 0 },
  external: { first: 4_000, most: 64_000, margin: 2_000 },
} as const;

/**
 * Runs `begin` with an instant in the near future, for checks of the state before a scheduled change. If `begin` ends
 * after the instant, its result proves nothing, so it runs again with twice the lead.
 *
 * @param begin performs the step on new objects, and returns its result
 * @throws Untestable when the target is too slow for a result before the instant
 */
export async function aheadOf<T>(begin: (instant: string) => Promise<T>): Promise<T> {
  const { first, most, margin } = LEADS[currentSession().plan.target.kind];
  for (let lead = first; lead <= most; lead *= 2) {
    const instant = now(lead);
    currentCheckRun()?.agreement.changed();
    const [seen] = await Promise.allSettled([begin(instant)]);
    if (now(margin) >= instant) continue;
    if (seen.status === 'rejected') throw seen.reason;
    return seen.value;
  }
  throw new Untestable(`The target took more than ${most / 1000} s to show what is still to come`);
}
