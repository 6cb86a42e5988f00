import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderNames } from '../spec/header-names.ts';
import type { World } from '../store/world.ts';
import { keyOf, type Worlds } from '../store/worlds.ts';

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
