import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Requests whose client holds the body back until it is told to go on. */
const holding = new WeakSet<IncomingMessage>();

/** Listens in the place of Node's own, which tells every client to go on before anything has judged its request. */
export function holdingBody(listener: RequestListener): RequestListener {
  return (request, response) => {
    holding.add(request);
    listener(request, response);
  };
}

/** Tells a client that holds its body back to send it. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (holding.delete(request)) response.writeContinue();
}

/** Whether a body that its client holds back would be too long. */
export const isHeldBackTooLong = (request: IncomingMessage, limit: number): boolean =>
  holding.has(request) && Number(request.headers['content-length'] ?? 0) > limit;
