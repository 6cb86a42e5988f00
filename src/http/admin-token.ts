import { timingSafeEqual } from 'node:crypto';
import { tokenOf } from '../config/access.ts';
import type { Settings } from '../config/settings.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';
import type { RawRequest } from './message.ts';

const RECEIVED_HEADER = ADMIN_HEADER.toLowerCase();

/** Whether a request carries the token, if one is required. @assumes A-1401 */
export function carriesToken({ headers }: Pick<RawRequest, 'headers'>, settings: Settings) {
  const token = tokenOf(settings);
  return token === '' || equalsToken(String(headers[RECEIVED_HEADER] ?? ''), token);
}

/** Compares in constant time. */
export function equalsToken(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
