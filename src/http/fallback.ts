import type { RequestListener } from 'node:http';
import express from 'express';

/** What no document names: liveness, and 404 for the rest. Pages are mounted on it. */
export function createFallback(): RequestListener & express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.get(['/livez', '/readyz'], (_request, response) => {
    response.json({ status: 'ok' });
  });
  return app as RequestListener & express.Express;
}
