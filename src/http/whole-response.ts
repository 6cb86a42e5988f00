import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Ending } from '../faults/rule.ts';

/** A whole response. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Empty if the response has no body. */
  readonly text: string;
  /** How its connection ends instead of carrying all of it. */
  readonly ending?: Ending | undefined;
}

/** A request that another emulator has forwarded. */
export class ForwardedRequest extends IncomingMessage {
  constructor(
    socket: Socket,
    /** Whether that emulator received it by https. */
    readonly isSecure: boolean,
    /** Passes a whole response back to that emulator as data, which costs less than writing it as HTTP. */
    readonly passBack: (answer: WholeResponse) => void,
  ) {
    super(socket);
  }
}

export const isForwarded = (request: IncomingMessage): boolean =>
  request instanceof ForwardedRequest;

/** Whether a request came by https, here or to the emulator that has forwarded it. */
export const isSecure = (request: IncomingMessage): boolean =>
  request instanceof ForwardedRequest ? request.isSecure : 'encrypted' in request.socket;

/** Sends a whole response to whoever sent the request, or ends the connection as its fault says. */
export function sendWhole(response: ServerResponse, answer: WholeResponse): void {
  const { status, headers, text, ending } = answer;
  if (response.req instanceof ForwardedRequest) response.req.passBack(answer);
  else if (ending) endConnection(response, ending, answer);
  else response.writeHead(status, headers).end(text);
}

/** Ends the connection instead of responding. In a test client without a socket, it only destroys the response. */
function endConnection(response: ServerResponse, ending: Ending, answer: WholeResponse): void {
  const { socket } = response;
  if (!socket || socket.destroyed) response.destroy();
  else if (ending === 'reset') reset(response);
  else if (ending === 'empty' || answer.text === '') socket.destroy();
  else truncate(response, answer);
}

/** Sends a TCP reset. Closes any other kind of connection. */
function reset({ socket }: ServerResponse): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    socket?.destroy();
  }
}

/** Sends the head and half of the body. */
function truncate(response: ServerResponse, { status, headers, text }: WholeResponse): void {
  const { socket } = response;
  const close = () => socket?.destroy();
  const bytes = Buffer.from(text);
  response.writeHead(status, headers);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), close);
}
