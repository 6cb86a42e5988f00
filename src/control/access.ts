import type { Settings } from '../config/settings.ts';
import { NO_TOKEN } from '../http/admin-token.ts';

const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

export const isLoopback = (host: string): boolean => LOOPBACK_NAME.test(host);

/** Why the settings must not be started with; undefined where nothing speaks against it. @assumes A-1401 */
export function findUnsafeAccess({ host, admin_token }: Settings): string | undefined {
  if (isLoopback(host) || admin_token !== '') return undefined;
  return (
    `Listening on ${host} lets others control the emulator. ` +
    `Set admin_token to a secret, or to ${NO_TOKEN} where that is wanted.`
  );
}
