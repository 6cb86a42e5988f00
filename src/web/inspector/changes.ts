import type { Response } from 'express';
import type { InspectorRequest } from './inspector-request.ts';

/** Keeps the connection open through whatever stands between. */
const HEARTBEAT = 25_000;
/** Changes that follow each other closely are told at once. */
const GATHERING = 100;

/** Tells a browser of every change in a world, as server-sent events, until it goes away. */
export function streamChanges({ world, control }: InspectorRequest, response: Response): void {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  response.write('retry: 2000\n\n');
  let telling: NodeJS.Timeout | undefined;
  const tell = (): void => {
    telling ??= setTimeout(() => {
      telling = undefined;
      // One that does not read has been told already.
      if (!response.writableNeedDrain) response.write('data: changed\n\n');
    }, GATHERING);
  };
  const end = (): void => void response.end();
  control.closing.addEventListener('abort', end);
  const stops = [
    () => control.closing.removeEventListener('abort', end),
    world.onCommit(tell),
    world.onRestore(tell),
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
