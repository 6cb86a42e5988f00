import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Settings } from '../config/settings.ts';
import type { RawRequest } from './message.ts';
import type { RequestSource } from './request-context.ts';
import { isSecure } from './whole-response.ts';

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
