import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import type { Ending } from '../faults/rule.ts';
import { askForBody, ENDING_HEADER, endConnection, isHoldingBody } from '../http/connection.ts';
import type { RemoteClaim } from '../store/storage/shared-worlds.ts';
import { HOP_HEADER, type Hop, headersBack, NOT_HELD } from './hop.ts';

/**
 * How an attempt to forward a request has ended: it is answered; its world is not held there; the other emulator was not
 * reached; or it may have begun with the request, and is lost. It can be sent elsewhere unless it is answered or lost.
 */
export type Outcome = 'answered' | 'moved' | 'unreached' | 'lost';

/** How often forwarded requests are looked at, whose emulator may have been suspended. */
const LOOK_MS = 1_000;
/** How long forwarded requests may go on when this emulator closes. */
const PATIENCE_MS = 300;

/** A request in progress in another emulator. */
interface Forwarded {
  readonly claim: RemoteClaim;
  readonly upstream: ClientRequest;
}

/** Forwards requests to the emulators that hold their worlds, and passes back what these respond. */
export class Forwarder {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #open = new Set<Forwarded>();
  readonly #looking: NodeJS.Timeout;

  constructor(
    private readonly hop: Hop,
    closing: AbortSignal,
  ) {
    this.#looking = setInterval(() => this.#endOver(), LOOK_MS).unref();
    closing.addEventListener('abort', () => setTimeout(() => this.#end(), PATIENCE_MS));
  }

  forward(
    request: IncomingMessage,
    response: ServerResponse,
    claim: RemoteClaim,
  ): Promise<Outcome> {
    const hasBody = bodyIsComing(request);
    const { hostname, port } = urlToHttpOptions(new URL(claim.url));
    const upstream = httpRequest({
      ...{ agent: this.#agent, hostname, port, method: request.method ?? 'GET' },
      ...{ path: request.url ?? '/', headers: this.hop.headersOf(request, hasBody) },
    });
    const open = { claim, upstream };
    this.#open.add(open);
    // A client that leaves; what is answered leaves its connection for the next request.
    const leave = () => {
      if (!response.writableFinished) upstream.destroy();
    };
    response.once('close', leave);
    return passThrough(request, response, upstream, hasBody).finally(() => {
      response.off('close', leave);
      this.#open.delete(open);
    });
  }

  /** Has another emulator give a world back, which this one needs. Whether it did shows when the world is claimed. */
  handOver({ url, key }: RemoteClaim): Promise<void> {
    const { hostname, port } = urlToHttpOptions(new URL(url));
    return new Promise((resolve) => {
      const headers = this.hop.headersToHandOver(key);
      httpRequest({ agent: this.#agent, hostname, port, method: 'POST', path: '/', headers })
        .on('response', (answer) => answer.resume().on('close', resolve))
        .on('error', () => resolve())
        .end();
    });
  }

  /** Ends what waits for an emulator that has lost its claim, as one that is suspended. */
  #endOver(): void {
    for (const { claim, upstream } of this.#open) if (claim.isOver) upstream.destroy();
  }

  #end(): void {
    clearInterval(this.#looking);
    for (const { upstream } of this.#open) upstream.destroy();
    this.#agent.destroy();
  }
}

/** Sends a request on and its response back, each as it comes. */
function passThrough(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: ClientRequest,
  hasBody: boolean,
): Promise<Outcome> {
  // Reading again changes nothing. A body is only sent once the other emulator asks for it.
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  let mayHaveBegun = false;
  const begin = () => {
    mayHaveBegun = true;
  };
  if (hasBody)
    upstream.once('continue', () => {
      begin();
      askForBody(request, response);
      request.pipe(upstream);
    });
  else {
    if (!isRead) upstream.once('socket', (socket) => onceConnected(socket, begin));
    upstream.end();
  }
  return new Promise((resolve) => {
    upstream.on('error', () => {
      request.unpipe(upstream);
      resolve(mayHaveBegun ? 'lost' : 'unreached');
    });
    upstream.once('response', (answer) => {
      const isElsewhere = answer.headers[HOP_HEADER] === NOT_HELD;
      const passed = isElsewhere ? undefined : passBack(request, response, answer, mayHaveBegun);
      // Its connection can only be used again if all of the request was sent.
      const end = () => {
        if (!upstream.writableEnded) upstream.destroy();
        resolve(isElsewhere ? 'moved' : 'answered');
      };
      if (passed) void passed.then(end);
      else answer.resume().once('close', end);
    });
  });
}

function onceConnected(socket: Socket, begin: () => void): void {
  if (socket.connecting) socket.once('connect', begin);
  else begin();
}

async function passBack(
  request: IncomingMessage,
  response: ServerResponse,
  answer: IncomingMessage,
  isBodyAsked: boolean,
): Promise<void> {
  const ending = answer.headers[ENDING_HEADER.toLowerCase()] as Ending | undefined;
  const headers = headersBack(answer, ENDING_HEADER.toLowerCase());
  const status = answer.statusCode as number;
  if (ending !== undefined) {
    const text = Buffer.concat(await answer.toArray()).toString('utf8');
    endConnection(response, ending, { status, headers: recordOf(headers), text });
    return;
  }
  // Its client would send the body of its next request for this one's.
  if (isHoldingBody(request)) headers.push('Connection', 'close');
  // Many clients read no response before they have sent their body.
  else if (!isBodyAsked && !request.complete) await finished(request.resume()).catch(() => {});
  response.writeHead(status, answer.statusMessage, headers);
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  await new Promise<void>((resolve) => pipeline(answer, response, () => resolve()));
}

function recordOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let place = 0; place < raw.length; place += 2)
    headers[raw[place] as string] = raw[place + 1] as string;
  return headers;
}

const bodyIsComing = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
