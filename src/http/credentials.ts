import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { tokenOf } from '../config/access.ts';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { ADMIN_HEADER, type HeaderNames } from '../spec/header-names.ts';
import type { World } from '../store/world.ts';
import { keyOf, parseKey, type Worlds } from '../store/worlds.ts';
import { plural } from '../text/wording.ts';
import type { RawRequest } from './message.ts';

/** The caller: the world that its key opens, and the account it acts for. */
export interface Caller {
  readonly world: World;
  readonly owner: string;
}

/**
 * Reads the key and the account of a request. Returns undefined if either is invalid. `inProcessWorld` replaces
 * the open world of the key.
 *
 * @assumes
 */
export type Authenticate = (
  headers: IncomingHttpHeaders,
  inProcessWorld?: World,
) => Caller | undefined;

export function authenticator(worlds: Pick<Worlds, 'find'>, names: HeaderNames): Authenticate {
  const keyHeader = names.apiKey.toLowerCase();
  const accountHeader = names.account.toLowerCase();
  return (headers, inProcessWorld) => {
    const key = readKey(headers[keyHeader], headers.authorization);
    const isInProcess = inProcessWorld !== undefined && key === keyOf(inProcessWorld);
    const world = isInProcess ? inProcessWorld : key === undefined ? undefined : worlds.find(key);
    if (!world) return undefined;
    const account = headers[accountHeader];
    if (account === undefined) return { world, owner: world.accountId };
    return world.tables.accounts.get(String(account)) && { world, owner: String(account) };
  };
}

/** The key that a request names, valid or not; undefined if it names none, or two. */
export function keyIn(headers: IncomingHttpHeaders, { apiKey }: HeaderNames): string | undefined {
  return readKey(headers[apiKey.toLowerCase()], headers.authorization);
}

function readKey(
  own: string | string[] | undefined,
  authorization: string | undefined,
): string | undefined {
  const bearer =
    authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined && own === undefined) return undefined;
  if (own === undefined) return bearer;
  if (typeof own !== 'string') return undefined;
  return authorization === undefined || bearer === own ? own : undefined;
}

/** Says why the key or the account of a request is not valid, without repeating them. */
export function hintForCaller(
  headers: IncomingHttpHeaders,
  { apiKey, account }: HeaderNames,
): string {
  const { authorization } = headers;
  const own = headers[apiKey.toLowerCase()];
  const ways = `Authorization: Bearer KEY, or ${apiKey}: KEY`;
  if (own === undefined && authorization === undefined) return `No key is sent. Send ${ways}.`;
  const key = readKey(own, authorization);
  if (key === undefined)
    return own === undefined
      ? 'Authorization is not the word Bearer, a space and a key without spaces.'
      : `Authorization and ${apiKey} do not name the same key. Send one of them.`;
  if (!parseKey(key))
    return parseKey(key.toLowerCase())
      ? 'The key has upper-case letters. Keys have lower-case ones.'
      : 'A key is key_test_NAME or key_live_NAME, with a NAME of lower-case letters, digits and hyphens.';
  return headers[account.toLowerCase()] === undefined
    ? 'The setting keys does not list the key.'
    : `${account} names no connected account of this key, or the setting keys does not list the key.`;
}

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
      log.info(`Rejected ${plural(unlogged, 'request')} with a wrong admin token.`);
      [unlogged, loggedAt] = [0, now];
    }
    return pause(DELAY, undefined, { ref: false });
  };
}
