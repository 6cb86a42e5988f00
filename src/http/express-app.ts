import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Mounts } from './fallback.ts';

/** The Express app behind everything that no document names. */
export function createExpressApp(mounts: Mounts): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  for (const [path, load] of Object.entries(mounts)) app.use(path, loadedOnDemand(load));
  return app;
}

/** A handler that is loaded when it is first asked for, as most runs of an emulator need none of them. */
function loadedOnDemand(load: () => Promise<RequestHandler>): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  return (request, response, next) => {
    handler ??= load();
    handler.then((handle) => handle(request, response, next), next);
  };
}
