import { NotObservable } from '../outcome.ts';
import { keyPlaceOf } from '../plan.ts';
import { currentSession, NEEDS_OURS } from './session.ts';

/** A key that is certainly invalid: the run's key with a character that no key contains. */
export const wrongKey = (): string => `${currentSession().plan.target.key}!`;

/**
 * The headers that carry the run's key, or a changed form of it: in the service's own header, as a bearer token, or
 * both.
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

/**
 * Keys without access to this run's data: one of the same account in the other environment, one of another account in
 * the same environment.
 *
 * @assumes A-103
 * @throws NotObservable when only one key is known
 */
export function foreignKeys(): readonly [otherEnvironment: string, otherAccount: string] {
  const { target } = currentSession().plan;
  if (target.kind !== 'ours') throw new NotObservable(`${NEEDS_OURS}: other keys`);
  return [target.key.replace('key_test_', 'key_live_'), `${target.key}-stranger`];
}
