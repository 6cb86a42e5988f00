import type { Response } from 'express';
import type { Visit } from './visit.ts';

/** How often a silent stream shows that it is alive, in milliseconds. */
const HEARTBEAT = 25_000;

/** Tells a browser of every change in a world, as server-sent events, until it goes away. */
export function streamChanges({ world }: Visit, response: Response): void {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  response.write('retry: 2000\n\n');
  const stop = world.onCommit((changes) => {
    const tables = new Set(changes.map(({ table }) => table));
    response.write(`data: ${JSON.stringify([...tables])}\n\n`);
  });
  const heartbeat = setInterval(() => response.write(': alive\n\n'), HEARTBEAT);
  heartbeat.unref();
  response.on('close', () => {
    clearInterval(heartbeat);
    stop();
  });
}
