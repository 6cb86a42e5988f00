import { timingSafeEqual } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { isLoopback } from '../domain/local-name.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';
import type { RawRequest } from './request-context.ts';

/** Token that allows access beyond loopback without one. */
export const NO_TOKEN = 'none';

const RECEIVED_HEADER = ADMIN_HEADER.toLowerCase();

/** The token that has to be given; empty where none is set. */
export const tokenOf = ({ admin_token }: Settings): string =>
  admin_token === NO_TOKEN ? '' : admin_token;

/** Whether a request carries the token, where one is set. @assumes A-1401 */
export function carriesToken({ headers }: Pick<RawRequest, 'headers'>, settings: Settings) {
  const token = tokenOf(settings);
  return token === '' || equalsToken(String(headers[RECEIVED_HEADER] ?? ''), token);
}

/** Compares in constant time. */
export function equalsToken(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Why the settings must not be started with; undefined where nothing speaks against it. @assumes A-1401 */
export function findUnsafeAccess({ host, admin_token }: Settings): string | undefined {
  if (isLoopback(host) || admin_token !== '') return undefined;
  return (
    `Listening on ${host} lets others control the emulator. ` +
    `Set admin_token to a secret, or to ${NO_TOKEN} if that is intended.`
  );
}
