import { currentSession } from './target/session.ts';

/** Whether the target is an emulator started for this run. */
export function isOurs(): boolean {
  return currentSession().plan.target.kind === 'ours';
}

/** A key that cannot be anybody's: the run's own with a character no key has. */
export function wrongKey(): string {
  return `${currentSession().plan.target.key}!`;
}

/** Environment that the target stated. */
export function environment(): 'live' | 'test' | 'unknown' {
  return currentSession().plan.target.environment;
}
