import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ending } from '../faults/rule.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Empty if the response has no body. */
  readonly text: string;
}

/** The header by which an emulator tells the one that forwarded a request how it shall end its connection. */
export const ENDING_HEADER = 'X-Emulator-Ending';

/** Requests that another emulator has forwarded, and whether it received them by https. */
const forwarded = new WeakMap<IncomingMessage, { readonly isSecure: boolean }>();

export function markForwarded(request: IncomingMessage, isSecure: boolean): void {
  forwarded.set(request, { isSecure });
}

export const isForwarded = (request: IncomingMessage): boolean => forwarded.has(request);

/** Whether a request came by https, here or to the emulator that has forwarded it. */
export const isSecure = (request: IncomingMessage): boolean =>
  'encrypted' in request.socket || forwarded.get(request)?.isSecure === true;

/** Ends the connection instead of responding. In a test client without a socket, it only destroys the response. */
export function endConnection(response: ServerResponse, ending: Ending, answer: Answer): void {
  const { socket } = response;
  if (isForwarded(response.req)) leaveToForwarder(response, ending, answer);
  else if (!socket || socket.destroyed) response.destroy();
  else if (ending === 'reset') reset(response);
  else if (ending === 'empty') socket.destroy();
  else truncate(response, answer);
}

function leaveToForwarder(response: ServerResponse, ending: Ending, answer: Answer): void {
  const { status, headers, text } = answer;
  // A connection that ends before the response has no status.
  response.writeHead(status || 200, { ...headers, [ENDING_HEADER]: ending }).end(text);
}

/** Sends a TCP reset. Closes any other kind of connection. */
function reset({ socket }: ServerResponse): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    socket?.destroy();
  }
}

/** Sends the head and half of the body. Without a body, it sends only part of the head. */
function truncate(response: ServerResponse, { status, headers, text }: Answer): void {
  const { socket } = response;
  const close = () => socket?.destroy();
  if (text === '') {
    socket?.write(`HTTP/1.1 ${status}`, close);
    return;
  }
  const bytes = Buffer.from(text);
  response.writeHead(status, headers);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), close);
}
