import type { Instant } from '../domain/instant.ts';
import type { InterfaceDocument } from '../spec/document.ts';
import type { World } from '../state/world.ts';
import { keyOf } from '../state/worlds.ts';
import type { HeaderNames } from './credentials.ts';
import type { Door, Incoming } from './door.ts';
import type { Outgoing } from './problem.ts';

interface Request {
  readonly call: string;
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly account?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface StageParts {
  readonly world: World;
  readonly door: Door;
  readonly document: InterfaceDocument;
  readonly names: HeaderNames;
  /** Does what falls due in the world until a moment. */
  readonly settle: (until: Instant) => void;
}

/**
 * Sends requests to a world through the door, without a socket: the same bytes, the same checks.
 */
export function createStage({ world, door, document, names, settle }: StageParts) {
  const key = keyOf(world);
  const stand = (moment: Instant): void => {
    world.clock.state = { mode: 'frozen', at: moment };
  };
  return {
    get now(): Instant {
      return world.now;
    },
    set: stand,
    advance(moment: Instant): void {
      settle(moment);
      stand(moment);
    },
    send(request: Request): { status: number; body: unknown } {
      const { method, path, search } = addressOf(document, request);
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(request.account !== undefined && { [names.account.toLowerCase()]: request.account }),
        ...lowerCaseNames(request.headers),
      };
      const incoming: Incoming = { method, path, search, headers };
      const body = request.body === undefined ? '' : JSON.stringify(request.body);
      const outgoing = door.answer(incoming, door.arrive(incoming), Buffer.from(body));
      const { status, text } = outgoing as Outgoing;
      return { status, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

/** Method, path and query text of a request by operation. */
export function addressOf(document: InterfaceDocument, { call, path, query }: Request) {
  const operation = document.operations.get(call);
  if (!operation) throw new Error(`There is no operation ${call}.`);
  return {
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(path?.[name])),
    ),
    search: new URLSearchParams(query as Record<string, string>).toString(),
  };
}

function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
