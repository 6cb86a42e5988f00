import type { RequestListener, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

/** What loads the handlers, by the path below which they answer. */
export type Mounts = Readonly<Record<string, () => Promise<RequestHandler>>>;

const LIVENESS = /^\/(livez|readyz)\/?(\?|$)/;

/**
 * What no document names: liveness, what is mounted, and 404 for the rest. Express is loaded when the first
 * of it is asked for, since it takes a good part of a start.
 */
export function createFallback(mounts: Mounts = {}): RequestListener {
  let app: Promise<RequestListener> | undefined;
  return (request, response) => {
    if (LIVENESS.test(request.url ?? '') && ['GET', 'HEAD'].includes(request.method ?? ''))
      return sayAlive(response);
    app ??= import('./express-app.ts').then(({ createExpressApp }) => createExpressApp(mounts));
    void app.then((handle) => handle(request, response));
  };
}

function sayAlive(response: ServerResponse): void {
  const text = '{"status":"ok"}';
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': text.length,
  });
  response.end(text);
}
