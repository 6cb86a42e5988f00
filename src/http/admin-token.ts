import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { tokenOf } from '../config/access.ts';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';
import type { RawRequest } from './message.ts';

const RECEIVED_HEADER = ADMIN_HEADER.toLowerCase();

/** Whether a request carries the token, if one is required. @assumes A-1401 */
export function carriesToken({ headers }: Pick<RawRequest, 'headers'>, settings: Settings) {
  const token = tokenOf(settings);
  return token === '' || equalsToken(String(headers[RECEIVED_HEADER] ?? ''), token);
}

/** Whether a request carries a token that is not the required one. */
export function carriesWrongToken(request: Pick<RawRequest, 'headers'>, settings: Settings) {
  return Boolean(request.headers[RECEIVED_HEADER]) && !carriesToken(request, settings);
}

/** Compares in constant time. */
export function equalsToken(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** How long the response to a wrong admin token is held back. @units milliseconds */
const DELAY = 300;

/** At most one line a second is logged, as anyone can cause them. @units milliseconds */
const LOG_INTERVAL = 1_000;

/**
 * Returns what to wait for before a wrong admin token is refused. It is logged, and slowed so that tokens are not
 * guessed quickly.
 *
 * @assumes A-1401
 */
export function tokenAlarm(log: Pick<Logger, 'info'>): () => Promise<void> {
  let [unlogged, loggedAt] = [0, -Infinity];
  return () => {
    unlogged += 1;
    const now = performance.now();
    if (now - loggedAt >= LOG_INTERVAL) {
      log.info(`${unlogged} requests with a wrong admin token were refused.`);
      [unlogged, loggedAt] = [0, now];
    }
    return pause(DELAY, undefined, { ref: false });
  };
}
