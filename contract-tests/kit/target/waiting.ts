import { Untestable } from '../outcome.ts';
import { now } from './names.ts';
import { currentSession } from './session.ts';

/**
 * Asks again until the answer is there, for what a service may do after it has answered.
 * Answers the last look, whether or not it was good, so that the check says what it saw.
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
    const seen = await look();
    if (isGood(seen) || Date.now() + wait > end) return seen;
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, isOurs ? 80 : 5_000);
  }
}

/** How far ahead is begun first, how far at most, and how far the target's clock may be off, in milliseconds. */
const LEADS = {
  ours: { first: 500, most: 64_000, margin: 0 },
  external: { first: 4_000, most: 64_000, margin: 2_000 },
} as const;

/**
 * Begins something that changes at an instant ahead, and looks at it before. Where that took until the instant, what
 * was seen proves nothing: it is begun anew, with twice the time.
 *
 * @param begin starts it on objects of its own, and answers what it saw
 * @throws Untestable where the target takes too long to be seen before the instant
 */
export async function aheadOf<T>(begin: (instant: string) => Promise<T>): Promise<T> {
  const { first, most, margin } = LEADS[currentSession().plan.target.kind];
  for (let lead = first; lead <= most; lead *= 2) {
    const instant = now(lead);
    const [seen] = await Promise.allSettled([begin(instant)]);
    if (now(margin) >= instant) continue;
    if (seen.status === 'rejected') throw seen.reason;
    return seen.value;
  }
  throw new Untestable(`The target took more than ${most / 1000} s to show what is still to come`);
}
