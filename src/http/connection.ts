import type { ServerResponse } from 'node:http';
import type { Ending } from '../faults/rule.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Empty if the response has no body. */
  readonly text: string;
}

/** Ends the connection instead of responding. In a test client without a socket, it only destroys the response. */
export function endConnection(response: ServerResponse, ending: Ending, answer: Answer): void {
  const { socket } = response;
  if (!socket || socket.destroyed) response.destroy();
  else if (ending === 'reset') reset(response);
  else if (ending === 'empty') socket.destroy();
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
