import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Settings } from '../config/settings.ts';
import type { Ending } from '../faults/rule.ts';
import type { RawRequest } from './message.ts';
import type { RequestSource } from './request-context.ts';

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

/**
 * Handles the requests of a connection one after the other. A pipelined request waits until the response before
 * it is sent, and nothing more is read meanwhile. So a client that never reads responses cannot fill the
 * memory.
 */
export function serializePipelined(listener: RequestListener): RequestListener {
  return (request, response) => {
    // A request made in this process has no connection.
    if (response.socket || !request.socket.remoteAddress) return listener(request, response);
    request.socket.pause();
    response.once('socket', (socket: Socket) => {
      socket.resume();
      listener(request, response);
    });
  };
}

/** Gives access to the body of a request and to the close of its connection. */
export function sourceOf(request: IncomingMessage, response: ServerResponse): RequestSource {
  return {
    readBody: (limit) => readBytes(request, limit),
    readPieces: (limit, tooLarge) => piecesOf(request, limit, tooLarge),
    onClientClose(listener) {
      response.once('close', listener);
      return () => response.off('close', listener);
    },
  };
}

/** Returns the path of a request target that may be an absolute URL. */
export const withoutOrigin = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');

/** Reads a request without its body. */
export function readIncoming(request: IncomingMessage): RawRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
    isSecure: isSecure(request),
  };
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  });
  return new Promise((resolve) => {
    request.on('end', () => {
      if (length > limit) resolve(undefined);
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length));
    });
  });
}

/**
 * Drops everything after the limit or after a rejection. Reads to the end before the response is sent, because
 * many clients read no response earlier.
 */
async function* piecesOf(request: IncomingMessage, limit: number, tooLarge: () => Error) {
  let length = 0;
  try {
    for await (const chunk of request.pipe(new PassThrough())) {
      length += (chunk as Buffer).length;
      if (length <= limit) yield chunk as Buffer;
    }
    if (length > limit) throw tooLarge();
  } finally {
    await finished(request.unpipe().resume()).catch(() => {});
  }
}

const SANE_HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/;

/** Base URL of the links in a response, without a trailing slash. It uses the host and the protocol that the caller used. */
export function baseUrlOf(settings: Settings, host: string | undefined, isSecure = false): string {
  if (settings.public_url !== '') return settings.public_url;
  return host !== undefined && SANE_HOST.test(host)
    ? `${isSecure ? 'https' : 'http'}://${host}`
    : `http://127.0.0.1:${settings.port}`;
}
