import type { RequestListener } from 'node:http';
import express from 'express';
import type { Mounts } from './fallback.ts';

/** The Express app behind everything that no document names. */
export function createExpressApp(mounts: Mounts): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  for (const [path, handler] of Object.entries(mounts)) app.use(path, handler);
  return app;
}
