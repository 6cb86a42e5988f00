import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Requests whose client waits for `100 Continue` before it sends the body. */
const holding = new WeakSet<IncomingMessage>();

/** Replaces Node's own listener, which sends `100 Continue` before any check of the request. */
export function holdingBody(listener: RequestListener): RequestListener {
  return (request, response) => {
    holding.add(request);
    listener(request, response);
  };
}

/** Sends `100 Continue` if the client waits for it. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (holding.delete(request)) response.writeContinue();
}

/** Whether the client waits with a body that is longer than the limit. */
export const isHeldBackTooLong = (request: IncomingMessage, limit: number): boolean =>
  holding.has(request) && Number(request.headers['content-length'] ?? 0) > limit;
