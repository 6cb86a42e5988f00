import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { inSlices, type Resumable } from '../state/resumable.ts';
import { askForBody, isHeldBackTooLong } from './expect-continue.ts';
import type { RawRequest, RequestSource } from './request-context.ts';

/**
 * Handles the requests of a connection one after the other. One that was sent before the earlier answer has left
 * waits for that, and nothing more is read meanwhile, so that a client that never reads fills no memory.
 */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    // A request that was made in this process has no connection.
    if (response.socket || !request.socket.remoteAddress) return listener(request, response);
    request.socket.pause();
    response.once('socket', (socket: Socket) => {
      socket.resume();
      listener(request, response);
    });
  };
}

/** What a request can be asked for while it is handled. */
export function sourceOf(request: IncomingMessage, response: ServerResponse): RequestSource {
  /** Whether the body comes, as it does unless its client holds back more than the limit. */
  const isComing = (limit: number): boolean => {
    const isTooLong = isHeldBackTooLong(request, limit);
    if (isTooLong) response.setHeader('Connection', 'close');
    else askForBody(request, response);
    return !isTooLong;
  };
  return {
    readBody: (limit) => (isComing(limit) ? readBytes(request, limit) : Promise.resolve(undefined)),
    async *readPieces(limit, tooLarge) {
      if (!isComing(limit)) throw tooLarge();
      yield* piecesOf(request, limit, tooLarge);
    },
    finish: inSlices,
    onClientClose(listener) {
      response.once('close', listener);
      return () => response.off('close', listener);
    },
  };
}

/** The target of a request as a path, also where it was sent as a whole address. */
export function withoutOrigin(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
}

/** A request as it came, its body unread. */
export function readIncoming(request: IncomingMessage): RawRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
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
      else resolve(chunks.length === 1 ? chunks[0] : inSlices(joined(chunks, length)));
    });
  });
}

/** What comes after the limit, or after a refusal, is dropped; the answer follows the last of it, as many clients listen no sooner. */
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

function* joined(chunks: readonly Buffer[], length: number): Resumable<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let end = 0;
  for (const chunk of chunks) {
    end += chunk.copy(bytes, end);
    yield;
  }
  return bytes;
}
