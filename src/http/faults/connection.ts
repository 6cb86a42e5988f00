import type { ServerResponse } from 'node:http';
import type { Ending } from '../../faults/fault-rule.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Empty where the answer has no body. */
  readonly text: string;
}

/**
 * Ends the connection of a request instead of answering it. Where a test client has no socket, the response
 * alone is destroyed.
 */
export function endConnection(response: ServerResponse, ending: Ending, answer: Answer): void {
  const { socket } = response;
  if (!socket || socket.destroyed) response.destroy();
  else if (ending === 'reset') reset(response);
  else if (ending === 'empty') socket.destroy();
  else truncate(response, answer);
}

/** Sends a reset, or closes where the connection is not of TCP. */
function reset({ socket }: ServerResponse): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    socket?.destroy();
  }
}

/** Sends the head and half of the body; where there is no body, not even a whole head. */
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
