import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderNames } from '../spec/header-names.ts';
import type { World } from '../state/world.ts';
import { keyOf, type Worlds } from '../state/worlds.ts';

/** Who asks: the world that the key opens, and the account the call acts for. */
export interface Caller {
  readonly world: World;
  readonly owner: string;
}

/**
 * Reads the key and the account of a request; undefined where either is not valid. A draft stands for the
 * open world of its key.
 *
 * @assumes
 */
export type Authenticate = (headers: IncomingHttpHeaders, draft?: World) => Caller | undefined;

export function authenticator(worlds: Worlds, names: HeaderNames): Authenticate {
  const keyHeader = names.apiKey.toLowerCase();
  const accountHeader = names.account.toLowerCase();
  return (headers, draft) => {
    const key = readKey(headers[keyHeader], headers.authorization);
    const isOfDraft = draft !== undefined && key === keyOf(draft);
    const world = isOfDraft ? draft : key === undefined ? undefined : worlds.find(key);
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
