import { timingSafeEqual } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { bare, problem, type RawResponse } from '../http/problem.ts';
import type { RawRequest } from '../http/request-context.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';

/** Token that allows access beyond loopback without one. */
export const NO_TOKEN = 'none';

const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK_NAME.test(host) || host === '::1';
}

/** Why the settings must not be started with; undefined where nothing speaks against it. @assumes A-1401 */
export function findUnsafeAccess({ host, admin_token }: Settings): string | undefined {
  if (isLoopback(host) || admin_token !== '') return undefined;
  return (
    `Listening on ${host} lets others control the emulator. ` +
    `Set admin_token to a secret, or to ${NO_TOKEN} where that is wanted.`
  );
}

/**
 * Judges whether a request may reach the control interface: not from a foreign page, not under a foreign
 * name, and with the token where one is set.
 *
 * @assumes A-1401
 */
export function controlGuard(
  settings: Settings,
): (rawRequest: RawRequest) => RawResponse | undefined {
  const token = settings.admin_token === NO_TOKEN ? '' : settings.admin_token;
  return ({ headers }) => {
    const refusal = judgeOrigin(headers, settings);
    if (refusal) return refusal;
    const given = headers[ADMIN_HEADER.toLowerCase()];
    return token === '' || equalsToken(String(given ?? ''), token) ? undefined : bare(401);
  };
}

/** Refuses what a foreign page asks for, or what comes under a foreign name. */
export function judgeOrigin(
  headers: RawRequest['headers'],
  settings: Settings,
): RawResponse | undefined {
  const { host = '', origin } = headers;
  if (!isOwnHost(host, settings))
    return problem(403, `The Host ${host} is not one of the emulator's.`);
  if (origin !== undefined && !isSameOrigin(origin, host, settings))
    return problem(403, `The Origin ${origin} is not the emulator's.`);
  return undefined;
}

/** Beyond loopback any name may lead here; on loopback a foreign one is a page that rebinds its name. */
export function isOwnHost(host: string, { host: bound, public_url }: Settings): boolean {
  if (!isLoopback(bound)) return true;
  const name = host.replace(/:\d+$/, '');
  return (
    name === '' || isLoopback(name) || (public_url !== '' && new URL(public_url).host === host)
  );
}

function isSameOrigin(origin: string, host: string, { public_url }: Settings): boolean {
  if (public_url !== '' && origin === new URL(public_url).origin) return true;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Compares in constant time. */
export function equalsToken(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
