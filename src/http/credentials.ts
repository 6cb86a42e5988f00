import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderNames } from '../spec/header-names.ts';
import type { World } from '../store/world.ts';
import { keyOf, parseKey, type Worlds } from '../store/worlds.ts';

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

export function authenticator(worlds: Worlds, names: HeaderNames): Authenticate {
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
      ? 'Authorization does not begin with the word Bearer and a space.'
      : `Authorization and ${apiKey} do not name the same key. Send one of them.`;
  if (!parseKey(key))
    return parseKey(key.toLowerCase())
      ? 'The key has capital letters. Keys have small ones.'
      : 'A key is key_test_NAME or key_live_NAME, with a NAME of small letters, digits and hyphens.';
  return headers[account.toLowerCase()] === undefined
    ? 'The setting keys does not list the key.'
    : `${account} names no connected account of this key, or the setting keys does not list the key.`;
}
