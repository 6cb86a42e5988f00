import { DEFAULT_KEY } from '../config/access.ts';
import type { Settings } from '../config/settings.ts';
import { keyIn } from '../http/credentials.ts';
import type { RawRequest } from '../http/message.ts';
import { routeKind } from '../http/router.ts';
import { headerNames } from '../spec/header-names.ts';
import type { PublicName } from '../store/storage/storage.ts';
import { inboxNameOf } from '../webhooks/inbox.ts';

/** What names the world of a request: its key or, without one, what its path has. */
export type WorldName = { readonly key: string } | PublicName;

const HOSTED = /^\/hosted\/(?:checkout|portal(?:\/visits)?)\/([^/]+)/;
const INBOXES = /^\/_emulator\/inbox\/?$/;
/** Pages that show a world: that of the key in their address, or the default one. */
const OF_WORLD = /^\/(_emulator(\/ui(\/.*)?)?\/?)?$/;
/** Pages that show examples of a world, if a key is in their address. */
const WITH_EXAMPLES = /^\/(_emulator\/docs(\/|$)|openapi)/;

/** Returns what names the world that decides where a request is handled; undefined if any emulator can handle it. */
export function worldNamer(
  settings: Settings,
  isValid: (key: string) => boolean,
): (request: RawRequest) => WorldName | undefined {
  const names = headerNames(settings.service_name);
  return ({ path, search, headers }) => {
    // A link is for whoever has it, whatever key came with it.
    const token = HOSTED.exec(path)?.[1];
    if (token !== undefined) return { of: 'page', name: token };
    const key = keyIn(headers, names);
    if (routeKind(path) !== 'page') return key === undefined ? undefined : { key };
    const inbox = inboxNameOf(path.replace(/\/wait\/?$/, ''));
    if (inbox !== undefined) return key === undefined ? { of: 'inbox', name: inbox } : { key };
    if (INBOXES.test(path)) return { key: key ?? DEFAULT_KEY };
    const shown = new URLSearchParams(search).get('key') ?? '';
    if (OF_WORLD.test(path)) return { key: isValid(shown) ? shown : DEFAULT_KEY };
    return WITH_EXAMPLES.test(path) && shown !== '' ? { key: shown } : undefined;
  };
}
