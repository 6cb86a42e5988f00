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
