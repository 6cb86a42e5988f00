import { isIP } from 'node:net';
import type { Settings } from '../config/settings.ts';
import { isLocalName } from '../domain/local-name.ts';
import { ownerOfPath } from './own-paths.ts';
import { problem, type RawResponse } from './problem.ts';
import type { RawRequest } from './request-context.ts';

type Headers = RawRequest['headers'];

/** Judges a request before any part of the emulator sees it; undefined lets it in. */
export type Front = (rawRequest: RawRequest) => RawResponse | undefined;

/**
 * Keeps out what a page of another site asks for, and what comes under a name that is not the emulator's: a page
 * may give its own name the address of this machine.
 *
 * @param isOpen whether a key names a world that is there
 * @assumes A-1401
 */
export function createFront(settings: Settings, isOpen: (key: string) => boolean): Front {
  const { origin: publicOrigin, hostname } = new URL(settings.public_url || 'http://localhost');
  const allowed = [hostname, ...settings.allowed_hosts].map(plainName);
  let known = '';
  return ({ method, path, search, headers }) => {
    const { host = '' } = headers;
    if (host !== known) {
      if (!isOwnHost(host, allowed)) return misdirected(host);
      known = host;
    }
    if (!isForeign(headers, publicOrigin)) return undefined;
    const isNavigation = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
    return isNavigation && mayBeShown(path, search, isOpen) ? undefined : FOREIGN;
  };
}

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

function isOwnHost(host: string, allowed: readonly string[]): boolean {
  if (host === '') return true;
  const name = plainName(HOST.exec(host)?.[1] ?? '');
  if (name === '') return false;
  return (
    isIP(name.replace(/^\[|\]$/g, '')) > 0 ||
    isLocalName(name) ||
    allowed.some((entry) => (entry.startsWith('.') ? name.endsWith(entry) : name === entry))
  );
}

const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const misdirected = (host: string): RawResponse =>
  problem(
    421,
    `The Host ${host} is none of the emulator's names. Where it is meant to be, add it to the setting allowed_hosts.`,
  );

/** Whether a page of another site asks. Browsers say so in `Sec-Fetch-Site`, on plain http in `Origin` alone. */
function isForeign(headers: Headers, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  const { host, origin } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  return ![publicOrigin, `http://${host}`, `https://${host}`].includes(origin);
}

/** A link may lead to a hosted page, and to any other page of a world that is there. */
function mayBeShown(path: string, search: string, isOpen: (key: string) => boolean): boolean {
  if (ownerOfPath(path) !== 'page') return false;
  const key = new URLSearchParams(search).get('key');
  return key === null || isOpen(key);
}

const FOREIGN = problem(403, 'A page of another site may only link to the pages of open worlds.');
