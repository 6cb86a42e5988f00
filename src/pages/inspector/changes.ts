import type { Response } from 'express';
import { onClose } from '../../store/world-local.ts';
import type { InspectorRequest } from './inspector-request.ts';

/** Keeps the connection open, because proxies close silent ones. @units milliseconds */
const HEARTBEAT = 25_000;
/** Changes within this time are sent as one message. @units milliseconds */
const GATHERING = 100;

/** Notifies a browser of changes in a world by server-sent events, until it disconnects or the world closes. */
export function streamChanges({ world, control }: InspectorRequest, response: Response): void {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  // nginx, and proxies like it, would keep messages until there are some kilobytes of them.
  response.set('X-Accel-Buffering', 'no');
  response.flushHeaders();
  response.write('retry: 2000\n\n');
  let telling: NodeJS.Timeout | undefined;
  const tell = (): void => {
    telling ??= setTimeout(() => {
      telling = undefined;
      // If the browser has not read the earlier messages, one more says nothing new.
      if (!response.writableNeedDrain) response.write('data: changed\n\n');
    }, GATHERING);
  };
  const end = (): void => void response.end();
  control.closing.addEventListener('abort', end);
  const stops = [
    () => control.closing.removeEventListener('abort', end),
    world.onCommit(tell),
    world.onRestore(tell),
    // A browser that reconnected would open the world again.
    onClose(world, () => response.end('event: closed\ndata: closed\n\n')),
    control.requests.onExchange((exchange) => {
      if (exchange.world === world) tell();
    }),
  ];
  const heartbeat = setInterval(() => response.write(': alive\n\n'), HEARTBEAT);
  heartbeat.unref();
  response.on('close', () => {
    clearInterval(heartbeat);
    clearTimeout(telling);
    for (const stop of stops) stop();
  });
}
