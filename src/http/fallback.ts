import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { problem, writeRaw } from './message.ts';

const LIVENESS = /^\/(livez|readyz)\/?(\?|$)/;

/** Whether a request asks if the emulator is alive, or ready. */
const isLiveness = ({ url = '', method = '' }: IncomingMessage, probe?: string): boolean => {
  const asked = LIVENESS.exec(url)?.[1];
  return asked !== undefined && asked === (probe ?? asked) && ['GET', 'HEAD'].includes(method);
};

/** Loads each handler, by its path prefix. */
export type Mounts = Readonly<Record<string, () => Promise<RequestHandler>>>;

/**
 * Handles all paths outside the APIs: liveness, `mounts`, and 404 for the rest. Express is loaded on first use,
 * because it slows the start.
 */
export function createFallback(mounts: Mounts = {}): RequestListener {
  let app: Promise<RequestListener> | undefined;
  return (request, response) => {
    if (isLiveness(request)) return sayAlive(response);
    app ??= createExpressApp(mounts);
    app
      .then((handle) => handle(request, response))
      .catch(({ message }: Error) => {
        writeRaw(
          response,
          problem(500, `This page cannot be loaded, restart the emulator: ${message}`),
        );
      });
  };
}

async function createExpressApp(mounts: Mounts): Promise<RequestListener> {
  const { default: express } = await import('express');
  const app = express();
  app.disable('x-powered-by');
  for (const [path, load] of Object.entries(mounts)) app.use(path, loadedOnDemand(load));
  return app;
}

/** Returns a handler that is loaded on first use, because most runs need none of them. */
function loadedOnDemand(load: () => Promise<RequestHandler>): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  return (request, response, next) => {
    handler ??= load();
    // Returned, so that Express answers if it fails; unhandled, it would end the process.
    return handler.then((handle) => handle(request, response, next));
  };
}

const ALIVE = { 'Content-Type': 'application/json; charset=utf-8' };

const sayAlive = (response: ServerResponse): void =>
  writeRaw(response, { status: 200, headers: ALIVE, text: '{"status":"ok"}' });

const NOT_READY = problem(
  503,
  'The data is being loaded; nothing was changed. Try again when it is loaded.',
  { 'Retry-After': '1' },
);

/** Handles requests while the data is loaded: alive, not ready, and 503 for everything else. */
export const answerStarting: RequestListener = (request, response) => {
  request.resume();
  if (isLiveness(request, 'livez')) return sayAlive(response);
  writeRaw(response, NOT_READY);
};
