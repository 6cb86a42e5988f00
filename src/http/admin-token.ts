import { timingSafeEqual } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { isLoopback } from '../domain/local-name.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';
import type { RawRequest } from './request-context.ts';

/** The value of `admin_token` that allows access beyond loopback without a token. */
export const NO_TOKEN = 'none';

const RECEIVED_HEADER = ADMIN_HEADER.toLowerCase();

/** The token that requests must carry. Empty if none is required. */
export const tokenOf = ({ admin_token }: Settings): string =>
  admin_token === NO_TOKEN ? '' : admin_token;

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

/** Returns why these settings are unsafe to start with, or undefined if they are safe. @assumes A-1401 */
export function findUnsafeAccess({ host, admin_token }: Settings): string | undefined {
  if (isLoopback(host) || admin_token !== '') return undefined;
  return (
    `Listening on ${host} lets others control the emulator. ` +
    `Set admin_token to a secret, or to ${NO_TOKEN} if that is intended.`
  );
}
