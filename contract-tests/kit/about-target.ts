import { NotObservable } from './outcome.ts';
import { keyPlaceOf } from './plan.ts';
import { currentSession } from './target/session.ts';

/** Whether the target is an emulator started for this run. */
export function isOurs(): boolean {
  return currentSession().plan.target.kind === 'ours';
}

/** A key that cannot be anybody's: the run's own with a character no key has. */
export function wrongKey(): string {
  return `${currentSession().plan.target.key}!`;
}

/**
 * The run's key, or that key changed, as headers: in the service's own, as a bearer token, or in both.
 *
 * @assumes A-102
 */
export function keyHeaders(places: {
  readonly own?: (key: string) => string;
  readonly bearer?: (key: string) => string;
}): Record<string, string> {
  const { key, serviceName } = currentSession().plan.target;
  return {
    ...(places.own && { [keyPlaceOf(serviceName).header]: places.own(key) }),
    ...(places.bearer && { Authorization: `Bearer ${places.bearer(key)}` }),
  };
}

/** Environment that the target stated. */
export function environment(): 'live' | 'test' | 'unknown' {
  return currentSession().plan.target.environment;
}

/**
 * Keys of strangers: of the same account in the other environment, and of another account in this one.
 *
 * @assumes A-103
 * @throws NotObservable where only one key is known
 */
export function foreignKeys(): readonly [otherEnvironment: string, otherAccount: string] {
  const { target } = currentSession().plan;
  if (target.kind !== 'ours') throw new NotObservable('needs a second key');
  return [target.key.replace('key_test_', 'key_live_'), `${target.key}-stranger`];
}
