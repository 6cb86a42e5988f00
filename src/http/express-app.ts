import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';

/** Creates the Express app for all paths outside the APIs. */
export function createExpressApp(mounts: Mounts): RequestListener {
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

/** Loads each handler, by its path prefix. */
export type Mounts = Readonly<Record<string, () => Promise<RequestHandler>>>;
