import type { Instant } from '../domain/instant.ts';
import type { InterfaceDocument } from '../spec/document.ts';
import type { World } from '../state/world.ts';
import { keyOf } from '../state/worlds.ts';
import type { Door, Incoming } from './door.ts';
import type { Outgoing } from './problem.ts';

interface Request {
  readonly call: string;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Sends requests to a world through the door, without a socket: the same bytes, the same checks.
 */
export function createStage(world: World, door: Door, document: InterfaceDocument) {
  const key = keyOf(world);
  return {
    get now(): Instant {
      return world.now;
    },
    moveTo(moment: Instant): void {
      world.clock.state = { mode: 'frozen', at: moment };
    },
    send(request: Request): { status: number; body: unknown } {
      const operation = document.operations.get(request.call);
      if (!operation) throw new Error(`There is no operation ${request.call}.`);
      const incoming: Incoming = {
        method: operation.method,
        path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String(request.path?.[name])),
        ),
        search: new URLSearchParams(request.query as Record<string, string>).toString(),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      };
      const body = request.body === undefined ? '' : JSON.stringify(request.body);
      const outgoing = door.answer(incoming, door.arrive(incoming), Buffer.from(body));
      const { status, text } = outgoing as Outgoing;
      return { status, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}
