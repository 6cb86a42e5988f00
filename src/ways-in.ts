import type { IncomingMessage } from 'node:http';
import { tokenOf } from './config/access.ts';
import type { Settings } from './config/settings.ts';
import { type Authenticate, carriesToken, hintForCaller } from './http/credentials.ts';
import { unavailable } from './http/error-response.ts';
import type { Mounts } from './http/fallback.ts';
import { emptyResponse, problem, writeRaw } from './http/message.ts';
import { type Listening, openable } from './http/server.ts';
import { serveAuthority } from './http/tls-identity.ts';
import { headerNames } from './spec/header-names.ts';
import { keyOf, Unavailable } from './store/worlds.ts';

interface WaysInOptions {
  readonly settings: Settings;
  readonly authenticate: Authenticate;
  /** The servers, once it listens. */
  readonly listening: { readonly servers?: Listening };
}

/** What is served beside the APIs and the pages: the authority of https, and the tools for agents. */
export function waysIn({ settings, authenticate, listening }: WaysInOptions): Mounts {
  return {
    '/_emulator/ca.pem': async () => serveAuthority(() => listening.servers?.authority),
    async '/_emulator/mcp'() {
      const { answerMcp } = await import('./mcp/server.ts');
      return async (request, response) => {
        const caller = callerOf(request, { settings, authenticate, listening });
        if ('status' in caller) writeRaw(response, caller);
        else await answerMcp(caller, request, response);
      };
    },
  };
}

/** Who calls a tool, by the rules of the control API; or the response that refuses. @assumes A-1401 */
function callerOf(request: IncomingMessage, { settings, authenticate, listening }: WaysInOptions) {
  const { headers, method } = request;
  const { service_name: serviceName } = settings;
  if (method !== 'POST') return problem(405, 'Expected POST.', { Allow: 'POST' });
  if (!carriesToken(request, settings)) return emptyResponse(401);
  try {
    const world = authenticate(headers)?.world;
    if (!world) {
      const hint = hintForCaller(headers, headerNames(serviceName));
      return emptyResponse(401, { 'X-Emulator-Hint': hint });
    }
    const url = listening.servers?.plain.url;
    if (url === undefined) return problem(503, 'The emulator listens on no port.');
    return { url: openable(url), key: keyOf(world), token: tokenOf(settings), serviceName };
  } catch (error) {
    if (error instanceof Unavailable) return unavailable(error);
    throw error;
  }
}
