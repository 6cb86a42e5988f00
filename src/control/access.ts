import type { Settings } from '../config/settings.ts';
import { isLoopback } from '../domain/local-name.ts';
import { NO_TOKEN } from '../http/admin-token.ts';

/** Why the settings must not be started with; undefined where nothing speaks against it. @assumes A-1401 */
export function findUnsafeAccess({ host, admin_token }: Settings): string | undefined {
  if (isLoopback(host) || admin_token !== '') return undefined;
  return (
    `Listening on ${host} lets others control the emulator. ` +
    `Set admin_token to a secret, or to ${NO_TOKEN} where that is wanted.`
  );
}
