import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';

/** Handlers by the path below which they answer. */
export type Mounts = Readonly<Record<string, RequestHandler>>;

/** What no document names: liveness, what is mounted, and 404 for the rest. */
export function createFallback(mounts: Mounts = {}): RequestListener & express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.get(['/livez', '/readyz'], (_request, response) => {
    response.json({ status: 'ok' });
  });
  for (const [path, handler] of Object.entries(mounts)) app.use(path, handler);
  return app as RequestListener & express.Express;
}
