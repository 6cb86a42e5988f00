import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { problem } from './problem.ts';

/** Loads each handler, by its path prefix. */
export type Mounts = Readonly<Record<string, () => Promise<RequestHandler>>>;

const LIVENESS = /^\/(livez|readyz)\/?(\?|$)/;

/** Whether a request asks if the emulator is alive, or ready. */
const isLiveness = ({ url = '', method = '' }: IncomingMessage, probe?: string): boolean => {
  const asked = LIVENESS.exec(url)?.[1];
  return asked !== undefined && asked === (probe ?? asked) && ['GET', 'HEAD'].includes(method);
};

/**
 * Handles all paths outside the APIs: liveness, `mounts`, and 404 for the rest. Express is loaded on first use,
 * because it slows the start.
 */
export function createFallback(mounts: Mounts = {}): RequestListener {
  let app: Promise<RequestListener> | undefined;
  return (request, response) => {
    if (isLiveness(request)) return sayAlive(response);
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

const { status, headers, text } = problem(
  503,
  'The data file is being loaded; nothing was changed. Try again when it is loaded.',
  { 'Retry-After': '1' },
);

/** Handles requests while the data is loaded: alive, not ready, and 503 for everything else. */
export const answerStarting: RequestListener = (request, response) => {
  request.resume();
  if (isLiveness(request, 'livez')) return sayAlive(response);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
};
