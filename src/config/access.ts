import type { Settings } from './settings.ts';

/** Sandbox whose test environment opens from the default fixture, and its key. */
export const DEFAULT_SANDBOX = 'emulator';
export const DEFAULT_KEY = `key_test_${DEFAULT_SANDBOX}`;

/** The value of `admin_token` that allows access beyond loopback without a token. */
export const NO_TOKEN = 'none';

/** The token that requests must carry. Empty if none is required. */
export const tokenOf = ({ admin_token }: Pick<Settings, 'admin_token'>): string =>
  admin_token === NO_TOKEN ? '' : admin_token;

/** The file beside a data file that keeps its secret. */
export const secretFile = (data: string): string => `${data}.secret`;

const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether a host name is this machine's loopback. The name is in lower case, without a trailing dot. */
export const isLoopback = (name: string): boolean => LOOPBACK_NAME.test(name);

const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** The address at which other emulators reach this one; undefined if none is known. */
export function advertisedUrl({
  advertise,
  host,
  port,
}: Pick<Settings, 'advertise' | 'host' | 'port'>): string | undefined {
  if (advertise !== '') return advertise;
  if (isLoopback(host) || EVERY_ADDRESS.includes(host) || port === 0) return undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns why these settings are unsafe to start with, or undefined if they are safe. @assumes A-1401 */
export function findUnsafeAccess({ host, admin_token }: Settings): string | undefined {
  if (isLoopback(host) || admin_token !== '') return undefined;
  return (
    `Listening on ${host} lets others control the emulator. ` +
    `Set admin_token to a secret, or to ${NO_TOKEN} if that is intended.`
  );
}

/**
 * Where the secret comes from that tokens, signing secrets and cookies are derived from. It is random as soon as
 * somebody is to be kept out: beyond loopback, with a token, or with a list of keys.
 *
 * @assumes A-301
 */
export function secretSource(settings: Settings): 'setting' | 'seed' | 'random' {
  if (settings.secret !== '') return 'setting';
  const isPrivate =
    isLoopback(settings.host) && tokenOf(settings) === '' && settings.keys.length === 0;
  return isPrivate ? 'seed' : 'random';
}
