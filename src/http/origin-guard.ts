import { isIP } from 'node:net';
import { isLoopback } from '../config/access.ts';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { headerNames } from '../spec/header-names.ts';
import { carriesWrongToken, tokenAlarm } from './credentials.ts';
import { emptyResponse, problem, type RawRequest, type RawResponse } from './message.ts';
import { routeKind } from './router.ts';

type Headers = RawRequest['headers'];

/**
 * Checks a request before any part of the emulator handles it. Returns the response that rejects it, or
 * undefined.
 */
export type OriginGuard = (
  rawRequest: RawRequest,
) => RawResponse | Promise<RawResponse> | undefined;

/**
 * Rejects requests from pages of other sites, and requests to unknown host names: a page can point its own name
 * at this machine (DNS rebinding). Also rejects webhooks outside of inboxes: whoever registers a destination must not
 * reach through it what only this machine can reach. A wrong admin token is refused wherever it is sent.
 *
 * @param isOpen whether a key names a world that is there
 * @assumes A-1401
 */
export function createOriginGuard(
  settings: Settings,
  isOpen: (key: string) => boolean,
  log: Pick<Logger, 'info'>,
): OriginGuard {
  const alarm = tokenAlarm(log);
  const { origin: publicOrigin, hostname } = new URL(settings.public_url || 'http://localhost');
  const allowed = [hostname, ...settings.allowed_hosts].map(plainName);
  const signature = headerNames(settings.service_name).signature.toLowerCase();
  // The last host that was right: checking it again took 0.8 of 9 µs that a read from the cache takes here (2026-11-30).
  let known = '';
  return (rawRequest) => {
    const { method, path, search, headers } = rawRequest;
    const { host = '' } = headers;
    if (host !== known) {
      if (!isOwnHost(host, allowed)) return misdirected(host);
      known = host;
    }
    if (carriesWrongToken(rawRequest, settings)) return alarm().then(() => emptyResponse(401));
    if (headers[signature] !== undefined && !path.startsWith(INBOXES)) return OWN_WEBHOOK;
    const isOpening = opensWorld(path, search, isOpen);
    if (isForeign(headers, publicOrigin))
      return isLink(method, headers) && routeKind(path) === 'page' && !isOpening
        ? undefined
        : FOREIGN;
    return isOpening && !isSurelyOwn(headers, publicOrigin) ? UNASKED : undefined;
  };
}

const INBOXES = '/_emulator/inbox/';

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

function isOwnHost(host: string, allowed: readonly string[]): boolean {
  if (host === '') return true;
  const name = nameOf(host);
  if (name === '') return false;
  return (
    isIP(name.replace(/^\[|\]$/g, '')) > 0 ||
    LOCALHOST.test(name) ||
    allowed.some((entry) => (entry.startsWith('.') ? name.endsWith(entry) : name === entry))
  );
}

/** Names that browsers never look up. Others, also single labels and `.local`, can be answered by a neighbour. */
const LOCALHOST = /(^|\.)localhost$/;

const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const nameOf = (host: string): string => plainName(HOST.exec(host)?.[1] ?? '');

const misdirected = (host: string): RawResponse =>
  problem(
    421,
    `The Host ${host} is not one of the emulator's names. To allow it, add it to the setting allowed_hosts.`,
  );

/**
 * Whether a page of another site sends the request. Browsers say so in `Sec-Fetch-Site`; on plain HTTP only
 * `Origin` is sent.
 */
function isForeign(headers: Headers, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  const { host, origin } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !ownOrigins(host, publicOrigin).includes(origin);
}

/**
 * Whether a request that is not known to be foreign is surely not. On plain HTTP beyond loopback, a foreign
 * page can load an image and the browser sends no sign of it. Such a page can omit `Referer`, but cannot forge
 * it.
 */
function isSurelyOwn(headers: Headers, publicOrigin: string): boolean {
  const { host = '', referer = '' } = headers;
  return (
    headers['sec-fetch-site'] !== undefined ||
    isLoopback(nameOf(host)) ||
    ownOrigins(host, publicOrigin).some((origin) => referer.startsWith(`${origin}/`))
  );
}

const ownOrigins = (host: string | undefined, publicOrigin: string): readonly string[] => [
  publicOrigin,
  `http://${host}`,
  `https://${host}`,
];

/** Whether the user follows a link, rather than a page loading or framing it. */
const isLink = (method: string, headers: Headers): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** Whether a page request would create a new world. */
function opensWorld(path: string, search: string, isOpen: (key: string) => boolean): boolean {
  if (!path.startsWith('/_emulator/ui')) return false;
  const key = new URLSearchParams(search).get('key') ?? '';
  return key !== '' && !isOpen(key);
}

const FOREIGN = problem(
  403,
  'Origin or Sec-Fetch-Site says that a page of another site sent this. Such a page may only link to the pages of open worlds: call the emulator from your server.',
);

const OWN_WEBHOOK = problem(
  403,
  'This is a webhook. Of the emulator, only its inboxes can be a destination: /_emulator/inbox/NAME.',
);

const UNASKED = problem(
  403,
  'With this host name any site could request this page, so it creates no world. Open the world from the menu of /_emulator/ui, or send a request with its key.',
);
